import { element, hex, integer, longElement, varbind } from './ber.ts';
import { oddIntegers } from './odd-integers.ts';

/** A request by the name of what is wrong with it. */
export type Corpus = Readonly<Record<string, Buffer>>;

export const names = {
  sysDescr: hex('2b 06 01 02 01 01 01 00'),
  sysContact: hex('2b 06 01 02 01 01 04 00'),
  sysName: hex('2b 06 01 02 01 01 05 00'),
  sysLocation: hex('2b 06 01 02 01 01 06 00'),
} as const;
const { sysDescr, sysContact, sysName, sysLocation } = names;

interface Parts {
  readonly version?: Uint8Array;
  readonly community?: Uint8Array;
  readonly tag?: number;
  readonly id?: Uint8Array;
  readonly second?: Uint8Array;
  readonly third?: Uint8Array;
  readonly list?: Uint8Array;
  readonly afterList?: Uint8Array;
  readonly afterPdu?: Uint8Array;
}

const get = 0xa0;
const getNext = 0xa1;
const getBulk = 0xa5;
/** 1.3.6.1.2.1.99, and below it as many arcs 1 as are needed for this number of arcs. */
function nested(arcs: number): Buffer {
  return Buffer.concat([hex('2b 06 01 02 01 63'), Buffer.alloc(arcs - 7, 1)]);
}

const null0 = element(0x05);

/** The PDU of a request; every part can be replaced. */
export function pdu(parts: Parts): Buffer {
  const { tag = get, list = element(0x30, varbind(sysName)), afterList = Buffer.alloc(0) } = parts;
  const { id = integer(77), second = integer(0), third = integer(0) } = parts;
  return element(tag, id, second, third, list, afterList);
}

function message(parts: Parts): Buffer {
  const { version = integer(1), community = element(0x04, Buffer.from('public')) } = parts;
  return element(0x30, version, community, pdu(parts), parts.afterPdu ?? Buffer.alloc(0));
}

function named(...varbinds: readonly Uint8Array[]): Parts {
  return { list: element(0x30, ...varbinds) };
}

function each(
  entries: Readonly<Record<string, Parts>>,
  base: Readonly<Record<string, Parts>> = { '': {} },
): Record<string, Buffer> {
  return Object.fromEntries(
    Object.entries(base).flatMap(([prefix, shared]) =>
      Object.entries(entries).map(([title, parts]) => [
        `${prefix}${title}`,
        message({ ...shared, ...parts }),
      ]),
    ),
  );
}

const v1: Parts = { version: integer(0) };
const asEvery = {
  'GET of ': {},
  'GETNEXT of ': { tag: getNext },
  'GETBULK of ': { tag: getBulk, third: integer(2) },
  'v1 GET of ': v1,
  'v1 GETNEXT of ': { ...v1, tag: getNext },
} as const;

const oids = each(
  {
    'a known name': named(varbind(sysName)),
    'a name below the leaf': named(varbind(hex('2b 06 01 02 01 01 05 00 00'))),
    'a missing instance': named(varbind(hex('2b 06 01 02 01 01 05 01'))),
    'a missing object': named(varbind(hex('2b 06 01 02 01 01 63 00'))),
    'a truncated sub-identifier': named(varbind(hex('2b 06 01 02 01 01 05 80'))),
    'a truncated sub-identifier of 196608': named(varbind(hex('2b 06 01 02 01 19 03 02 01 01 8c 80'))),
    'a truncated first sub-identifier': named(varbind(hex('ab'))),
    'a padded sub-identifier': named(varbind(hex('2b 06 01 02 01 01 80 05 00'))),
    'a sub-identifier padded twice': named(varbind(hex('2b 06 01 02 01 01 80 80 05 00'))),
    'a sub-identifier of only padding': named(varbind(hex('2b 06 01 02 01 01 05 80 00'))),
    'a padded first sub-identifier': named(varbind(hex('80 2b 06 01 02 01 01 05 00'))),
    'a sub-identifier of 2^32 - 1': named(varbind(hex('2b 06 01 02 01 01 05 8f ff ff ff 7f'))),
    'a sub-identifier of 2^32': named(varbind(hex('2b 06 01 02 01 01 90 80 80 80 00'))),
    'a sub-identifier of 2^35 - 1': named(varbind(hex('2b 06 01 02 01 01 ff ff ff ff 7f'))),
    'a sub-identifier of 2^32 + 5, which wraps to sysName': named(
      varbind(hex('2b 06 01 02 01 01 90 80 80 80 05 00')),
    ),
    'a sub-identifier of ten octets': named(varbind(hex('2b 06 01 ff ff ff ff ff ff ff ff ff 7f'))),
    'a first sub-identifier of 2.100': named(varbind(hex('81 34 01'))),
    'a first sub-identifier of 2^32 - 1': named(varbind(hex('8f ff ff ff 7f 01'))),
    'a first sub-identifier of 2^32 + 79': named(varbind(hex('90 80 80 80 4f 01'))),
    'a first sub-identifier of 2^32 + 80': named(varbind(hex('90 80 80 80 50 01'))),
    'a first sub-identifier of 0': named(varbind(hex('00'))),
    'a name of no octets': named(varbind(Buffer.alloc(0))),
    'a name of one octet': named(varbind(hex('2b'))),
    'a name of 127 sub-identifiers': named(varbind(nested(127))),
    'a name of 128 sub-identifiers': named(varbind(nested(128))),
    'a name of 129 sub-identifiers': named(varbind(nested(129))),
    'a name of 130 sub-identifiers': named(varbind(nested(130))),
    'a name of 300 sub-identifiers': named(varbind(nested(300))),
    'an octet string instead of a name': named(element(0x30, element(0x04, sysName), null0)),
    'a constructed name': named(element(0x30, element(0x26, sysName), null0)),
    'a relative name': named(element(0x30, element(0x0d, sysName), null0)),
    'one good and one bad name': named(varbind(sysName), varbind(hex('2b 06 01 02 01 01 05 80'))),
    'one bad and one good name': named(varbind(hex('2b 06 01 02 01 01 05 80')), varbind(sysName)),
    'one known and one missing name': named(varbind(sysName), varbind(hex('2b 06 01 02 01 01 63 00'))),
    'the same name three times': named(varbind(sysName), varbind(sysName), varbind(sysName)),
    'the last name': named(varbind(hex('2b 06 01 02 01 01 06 ff 7f'))),
  },
  asEvery,
);

const values = each(
  {
    'an INTEGER': named(varbind(sysName, integer(5))),
    'an INTEGER of no octets': named(varbind(sysName, element(0x02))),
    'an INTEGER of five octets': named(varbind(sysName, element(0x02, hex('0102030405')))),
    'an OCTET STRING': named(varbind(sysName, element(0x04, hex('616263')))),
    'an OID': named(varbind(sysName, element(0x06, sysDescr))),
    'a truncated OID': named(varbind(sysName, element(0x06, hex('2b 86')))),
    'an OID of no octets': named(varbind(sysName, element(0x06))),
    'an IpAddress': named(varbind(sysName, element(0x40, hex('7f000001')))),
    'an IpAddress of three octets': named(varbind(sysName, element(0x40, hex('7f0000')))),
    'an IpAddress of eight octets': named(varbind(sysName, element(0x40, hex('7f0000017f000001')))),
    'a Counter32': named(varbind(sysName, integer(5, 0x41))),
    'a Counter32 of five octets': named(varbind(sysName, element(0x41, hex('0080000001')))),
    'a Counter32 above 2^32': named(varbind(sysName, element(0x41, hex('0180000001')))),
    'a Counter32 of no octets': named(varbind(sysName, element(0x41))),
    'a Gauge32': named(varbind(sysName, integer(5, 0x42))),
    'a TimeTicks': named(varbind(sysName, integer(5, 0x43))),
    'an Opaque': named(varbind(sysName, element(0x44, hex('9f7804 3f800000')))),
    'a Counter32 of nine octets': named(varbind(sysName, element(0x41, hex('00ffffffffffffffff')))),
    'a Counter32 of ten octets': named(varbind(sysName, element(0x41, hex('0000ffffffffffffffff')))),
    'an INTEGER of nine octets': named(varbind(sysName, element(0x02, hex('00ffffffffffffffff')))),
    'an IpAddress of no octets': named(varbind(sysName, element(0x40))),
    'an OID of 129 sub-identifiers': named(varbind(sysName, element(0x06, nested(129)))),
    'a padded OID': named(varbind(sysName, element(0x06, hex('2b 80 06')))),
    'an Opaque Double': named(varbind(sysName, element(0x44, hex('9f7908 3ff0000000000000')))),
    'an Opaque Double of four octets': named(varbind(sysName, element(0x44, hex('9f7904 3ff00000')))),
    'an Opaque Counter64': named(varbind(sysName, element(0x44, hex('9f7601 05')))),
    'an Opaque Counter64 of nine octets': named(
      varbind(sysName, element(0x44, hex('9f7609 00ffffffffffffffff'))),
    ),
    'an Opaque Counter64 of ten octets': named(
      varbind(sysName, element(0x44, hex('9f760a 0000ffffffffffffffff'))),
    ),
    'an Opaque Counter64 of no octets': named(varbind(sysName, element(0x44, hex('9f7600')))),
    'an Opaque Integer64': named(varbind(sysName, element(0x44, hex('9f7a01 ff')))),
    'an Opaque Unsigned64': named(varbind(sysName, element(0x44, hex('9f7b01 05')))),
    'an Opaque Float with a longer content': named(
      varbind(sysName, element(0x44, hex('9f7804 3f800000 00'))),
    ),
    'an Opaque Integer64 with a longer content': named(varbind(sysName, element(0x44, hex('9f7a01 ff 00')))),
    'an Opaque of two octets': named(varbind(sysName, element(0x44, hex('9f78')))),
    'an Opaque of nothing known': named(varbind(sysName, element(0x44, hex('010203')))),
    'an Opaque Float of three octets': named(varbind(sysName, element(0x44, hex('9f7803 3f8000')))),
    'an empty Opaque': named(varbind(sysName, element(0x44))),
    'an NsapAddress': named(varbind(sysName, element(0x45, hex('0102')))),
    'a Counter64': named(varbind(sysName, integer(5, 0x46))),
    'a Counter64 of nine octets': named(varbind(sysName, element(0x46, hex('00ffffffffffffffff')))),
    'a Counter64 of nine octets above 2^64': named(
      varbind(sysName, element(0x46, hex('01ffffffffffffffff'))),
    ),
    'a Counter64 of ten octets': named(varbind(sysName, element(0x46, hex('0000ffffffffffffffff')))),
    'a Counter64 of no octets': named(varbind(sysName, element(0x46))),
    'a UInteger32': named(varbind(sysName, integer(5, 0x47))),
    'a BIT STRING': named(varbind(sysName, element(0x03, hex('00ff')))),
    'a BOOLEAN': named(varbind(sysName, element(0x01, hex('ff')))),
    'a REAL': named(varbind(sysName, element(0x09, hex('00')))),
    'a SEQUENCE': named(varbind(sysName, element(0x30, integer(1)))),
    'a constructed OCTET STRING': named(varbind(sysName, element(0x24, element(0x04, hex('61'))))),
    noSuchObject: named(varbind(sysName, element(0x80))),
    noSuchInstance: named(varbind(sysName, element(0x81))),
    endOfMibView: named(varbind(sysName, element(0x82))),
    'noSuchObject with content': named(varbind(sysName, element(0x80, hex('00')))),
    'an unknown context tag': named(varbind(sysName, element(0x83))),
    'an unknown application tag': named(varbind(sysName, element(0x48, hex('00')))),
    'a tag of two octets': named(varbind(sysName, hex('1f 85 00'))),
    'a NULL with content': named(varbind(sysName, element(0x05, hex('00')))),
    'a NULL with a long length': named(varbind(sysName, longElement(0x05, 1))),
    'no value at all': named(element(0x30, element(0x06, sysName))),
    'a tag without a length': named(element(0x30, element(0x06, sysName), hex('05'))),
    'two values': named(element(0x30, element(0x06, sysName), null0, null0)),
    'a value that reaches beyond its varbind': named(element(0x30, element(0x06, sysName), hex('05 04'))),
    'a value that reaches beyond the message': named(element(0x30, element(0x06, sysName), hex('04 7f'))),
    'an indefinite value': named(varbind(sysName, hex('04 80 00 00'))),
  },
  {
    'a value that is ': {},
    'in v1 a value that is ': v1,
    'in a GETBULK a value that is ': asEvery['GETBULK of '],
  },
);

const several = { list: element(0x30, varbind(sysContact), varbind(sysLocation)) };
const fields = Object.fromEntries(
  oddIntegers.flatMap(([title, value]) => [
    [`a version of ${title}`, message({ version: value })],
    [`a request-id of ${title}`, message({ id: value })],
    [`a v1 request-id of ${title}`, message({ ...v1, id: value })],
    [`an error-status of ${title}`, message({ second: value })],
    [`an error-index of ${title}`, message({ third: value })],
    [`a v1 error-status of ${title}`, message({ ...v1, second: value })],
    [`non-repeaters of ${title}`, message({ tag: getBulk, second: value, third: integer(2), ...several })],
    [`max-repetitions of ${title}`, message({ tag: getBulk, third: value, ...several })],
    [
      `both numbers of a GETBULK of ${title}`,
      message({ tag: getBulk, second: value, third: value, ...several }),
    ],
  ]),
);
const bulks = Object.fromEntries(
  [0, 1, 2, 3, 100].flatMap((first) =>
    [0, 1, 2, 3, 50].map((repetitions) => [
      `non-repeaters of ${first} and max-repetitions of ${repetitions}`,
      message({ tag: getBulk, second: integer(first), third: integer(repetitions), ...several }),
    ]),
  ),
);

const good = message({});
const whole = { sysName: varbind(sysName) };
const shapes: Corpus = {
  ...each({
    'an unknown community': { community: element(0x04, Buffer.from('private')) },
    'an empty community': { community: element(0x04) },
    'a longer community': { community: element(0x04, Buffer.from('publicx')) },
    'a shorter community': { community: element(0x04, Buffer.from('publi')) },
    'a community of 300 octets': { community: element(0x04, Buffer.alloc(300, 0x61)) },
    'a community with a long length': { community: longElement(0x04, 1, Buffer.from('public')) },
    'a community with a length of five octets': { community: longElement(0x04, 4, Buffer.from('public')) },
    'a community with a length of six octets': { community: longElement(0x04, 5, Buffer.from('public')) },
    'an indefinite community': { community: hex('04 80 70 75 62 6c 69 63 00 00') },
    'a community as an INTEGER': { community: element(0x02, Buffer.from('publ')) },
    'a constructed community': { community: element(0x24, Buffer.from('public')) },
    'an empty list': { list: element(0x30) },
    'an empty list in GETNEXT': { tag: getNext, list: element(0x30) },
    'an empty list in GETBULK': { tag: getBulk, third: integer(5), list: element(0x30) },
    'an empty list in SET': { tag: 0xa3, list: element(0x30) },
    'an empty list in v1': { ...v1, list: element(0x30) },
    'an empty list in a GETNEXT of v1': { ...v1, tag: getNext, list: element(0x30) },
    'no list': { list: Buffer.alloc(0) },
    'a list as a SET': { list: element(0x31, whole.sysName) },
    'a list as an OCTET STRING': { list: element(0x04, whole.sysName) },
    'a varbind as a SET': { list: element(0x30, element(0x31, element(0x06, sysName), null0)) },
    'an empty varbind': { list: element(0x30, element(0x30)) },
    'an empty varbind after a good one': { list: element(0x30, whole.sysName, element(0x30)) },
    'one octet after the varbinds': { list: element(0x30, whole.sysName, hex('00')) },
    'two octets after the varbinds': { list: element(0x30, whole.sysName, hex('0500')) },
    'a varbind in a varbind': { list: element(0x30, element(0x30, whole.sysName)) },
    'a list with a long length': { list: longElement(0x30, 1, whole.sysName) },
    'a list with a length of five octets': { list: longElement(0x30, 4, whole.sysName) },
    'a list with a length of six octets': { list: longElement(0x30, 5, whole.sysName) },
    'an indefinite list': { list: Buffer.concat([hex('30 80'), whole.sysName, hex('00 00')]) },
    'an indefinite varbind': {
      list: element(0x30, Buffer.concat([hex('30 80'), element(0x06, sysName), null0, hex('0000')])),
    },
    'a varbind with a long length': {
      list: element(0x30, longElement(0x30, 1, element(0x06, sysName), null0)),
    },
    'a name with a long length': { list: element(0x30, element(0x30, longElement(0x06, 1, sysName), null0)) },
    'a name with a length of five octets': {
      list: element(0x30, element(0x30, longElement(0x06, 4, sysName), null0)),
    },
    'a name with a length of six octets': {
      list: element(0x30, element(0x30, longElement(0x06, 5, sysName), null0)),
    },
    'an indefinite name': { list: element(0x30, element(0x30, hex('06 80'), sysName, hex('0000'), null0)) },
    'a name that reaches beyond its varbind': {
      list: element(0x30, element(0x30, hex('06 20'), sysName, null0)),
    },
    'a list that is shorter than its content': {
      list: Buffer.concat([longElement(0x30, hex('0a'), whole.sysName)]),
    },
    'a list that is longer than its content': { list: longElement(0x30, hex('20'), whole.sysName) },
    'a varbind that is longer than its list': {
      list: element(0x30, longElement(0x30, hex('20'), element(0x06, sysName), null0)),
    },
    'a varbind that is shorter than its content': {
      list: element(0x30, longElement(0x30, hex('0a'), element(0x06, sysName), null0)),
    },
    'octets after the list': { afterList: hex('0500') },
    'octets after the PDU': { afterPdu: hex('0500') },
    '3,000 varbinds': { list: element(0x30, ...Array.from({ length: 3_000 }, () => whole.sysName)) },
    '200 varbinds': { list: element(0x30, ...Array.from({ length: 200 }, () => whole.sysName)) },
  }),
  ...Object.fromEntries(
    [0xa2, 0xa3, 0xa4, 0xa6, 0xa7, 0xa8, 0xa9, 0xbf, 0x80, 0x20, 0x30, 0x02, 0x05, 0x00, 0xff].flatMap(
      (tag) =>
        [0, 1].map((version) => [
          `a PDU with the tag ${tag.toString(16)} in version ${version}`,
          message({ version: integer(version), tag }),
        ]),
    ),
  ),
  'GETBULK in v1': message({ ...v1, tag: getBulk, third: integer(2) }),
  'SET of a name with a value': message({ tag: 0xa3, ...named(varbind(sysName, element(0x04, hex('61')))) }),
  'SET of two names': message({
    tag: 0xa3,
    ...named(varbind(sysDescr, element(0x04, hex('61'))), varbind(sysName, element(0x04, hex('61')))),
  }),
  'SET of a missing name': message({
    tag: 0xa3,
    ...named(varbind(hex('2b 06 01 02 01 01 63 00'), integer(1))),
  }),
  'SET in v1': message({ ...v1, tag: 0xa3, ...named(varbind(sysName, element(0x04, hex('61')))) }),
  'SET of NULL in v1': message({ ...v1, tag: 0xa3 }),
  'octets after the message': Buffer.concat([good, hex('00')]),
  'a second message in the datagram': Buffer.concat([good, good]),
  'a kilobyte after the message': Buffer.concat([good, Buffer.alloc(1_000)]),
  'an empty datagram': Buffer.alloc(0),
  'one octet': hex('30'),
  'an empty sequence': hex('3000'),
  zeroes: Buffer.alloc(64),
  ones: Buffer.alloc(64, 0xff),
  'an indefinite message': Buffer.concat([hex('30 80'), good.subarray(2), hex('00 00')]),
  'a message as a SET': Buffer.concat([hex('31'), good.subarray(1)]),
  'a message as an OCTET STRING': Buffer.concat([hex('04'), good.subarray(1)]),
  ...Object.fromEntries(
    [1, 2, 3, 4, 5, 8, 126].map((octets) => [
      `a message with ${octets} octets of length`,
      longElement(0x30, octets, good.subarray(2)),
    ]),
  ),
  ...Object.fromEntries(
    [1, 2, 3, 4, 5].map((octets) => [
      `a PDU with ${octets} octets of length`,
      element(
        0x30,
        integer(1),
        element(0x04, Buffer.from('public')),
        longElement(get, octets, pdu({}).subarray(2)),
      ),
    ]),
  ),
  'a message that is one octet too short': good.subarray(0, -1),
  'a message whose length is one too small': Buffer.concat([
    hex('30'),
    Buffer.of(good[1]! - 1),
    good.subarray(2),
  ]),
  'a message whose length is one too large': Buffer.concat([
    hex('30'),
    Buffer.of(good[1]! + 1),
    good.subarray(2),
  ]),
  'a message of 2^31 octets by its length': Buffer.concat([hex('30 84 80 00 00 00'), good.subarray(2)]),
  'a PDU whose length is one too small': reLength(-1),
  'a PDU whose length is one too large': reLength(1),
  ...Object.fromEntries(
    Array.from({ length: good.length - 1 }, (_, end) => [
      `the first ${end + 1} octets of a message`,
      good.subarray(0, end + 1),
    ]),
  ),
};

function reLength(by: number): Buffer {
  const octets = pdu({});
  octets[1] = octets[1]! + by;
  return element(0x30, integer(1), element(0x04, Buffer.from('public')), octets);
}

/** Requests of SNMPv1 and v2c: correct ones, unusual ones, and malformed ones of every kind. */
export const communityRequests: Corpus = { ...oids, ...values, ...fields, ...bulks, ...shapes };
