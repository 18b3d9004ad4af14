/** The identifier octets that SNMP uses (X.690, RFC 2578 §2, RFC 3416 §3). */
export const berTag = {
  integer: 0x02,
  octetString: 0x04,
  null: 0x05,
  objectIdentifier: 0x06,
  sequence: 0x30,
  ipAddress: 0x40,
  counter32: 0x41,
  gauge32: 0x42,
  timeTicks: 0x43,
  opaque: 0x44,
  nsapAddress: 0x45,
  counter64: 0x46,
  uInteger32: 0x47,
  noSuchObject: 0x80,
  noSuchInstance: 0x81,
  endOfMibView: 0x82,
  getRequest: 0xa0,
  getNextRequest: 0xa1,
  response: 0xa2,
  setRequest: 0xa3,
  trapV1: 0xa4,
  getBulkRequest: 0xa5,
  informRequest: 0xa6,
  trapV2: 0xa7,
  report: 0xa8,
} as const;

/** The second octet of the two-octet tags inside an Opaque (0x9f 0x78 is a Float), as net-snmp writes them. */
export const opaqueTag = {
  first: 0x9f,
  counter64: 0x76,
  float: 0x78,
  double: 0x79,
  int64: 0x7a,
  uInt64: 0x7b,
} as const;

/** The requests that get an answer (RFC 3411 §2.8: the confirmed class). */
export const confirmedTags: ReadonlySet<number> = new Set([
  berTag.getRequest,
  berTag.getNextRequest,
  berTag.getBulkRequest,
  berTag.setRequest,
  berTag.informRequest,
]);
