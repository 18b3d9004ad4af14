/** The types that SNMP carries. */
export type BaseType =
  | 'Integer32'
  | 'OctetString'
  | 'ObjectIdentifier'
  | 'Counter32'
  | 'Unsigned32'
  | 'Gauge32'
  | 'TimeTicks'
  | 'Counter64'
  | 'IpAddress'
  | 'Opaque'
  | 'Bits';

/** The types of the languages themselves, by the names that SMIv1 and SMIv2 have for them. */
export const baseTypes: ReadonlyMap<string, BaseType> = new Map([
  ['INTEGER', 'Integer32'],
  ['Integer32', 'Integer32'],
  ['OCTET STRING', 'OctetString'],
  ['OBJECT IDENTIFIER', 'ObjectIdentifier'],
  ['ObjectName', 'ObjectIdentifier'],
  ['NotificationName', 'ObjectIdentifier'],
  ['BITS', 'Bits'],
  ['BIT STRING', 'Bits'],
  ['Counter', 'Counter32'],
  ['Counter32', 'Counter32'],
  ['Gauge', 'Gauge32'],
  ['Gauge32', 'Gauge32'],
  ['Unsigned32', 'Unsigned32'],
  ['UInteger32', 'Unsigned32'],
  ['TimeTicks', 'TimeTicks'],
  ['Counter64', 'Counter64'],
  ['IpAddress', 'IpAddress'],
  ['NetworkAddress', 'IpAddress'],
  ['NsapAddress', 'OctetString'],
  ['Opaque', 'Opaque'],
]);

/** The types of `[APPLICATION n]` (RFC 2578, appendix A, and RFC 1442). */
export const taggedTypes: ReadonlyMap<number, BaseType> = new Map([
  [0, 'IpAddress'],
  [1, 'Counter32'],
  [2, 'Gauge32'],
  [3, 'TimeTicks'],
  [4, 'Opaque'],
  [5, 'OctetString'],
  [6, 'Counter64'],
  [7, 'Unsigned32'],
]);

/** What MIN and MAX of a range mean. Of a string they are a length. */
export function limitsOf(base: BaseType | undefined): readonly [min: number | string, max: number | string] {
  switch (base) {
    case 'Integer32':
      return [-(2 ** 31), 2 ** 31 - 1];
    case 'Counter64':
      return [0, '18446744073709551615'];
    case 'OctetString':
    case 'Opaque':
    case 'Bits':
      return [0, 65_535];
    default:
      return [0, 2 ** 32 - 1];
  }
}
