import { isIPv4 } from 'node:net';
import type { MibNode } from '../../authoring/mib/index.ts';
import { normalizeOid } from '../../src/model/oid.ts';
import type { SnmpType, Varbind } from '../../src/snmp/index.ts';
import { usageFailure } from '../cli-errors.ts';
import type { VarbindNaming } from '../snmp/output/varbind-naming.ts';

type Typed = Pick<MibNode, 'type' | 'enums'>;

/** The letters of net-snmp. `x` is octets in hexadecimal. */
const typeByLetter: Readonly<Record<string, SnmpType>> = {
  i: 'Integer32',
  u: 'Gauge32',
  c: 'Counter32',
  C: 'Counter64',
  t: 'TimeTicks',
  a: 'IpAddress',
  o: 'ObjectIdentifier',
  s: 'OctetString',
  x: 'OctetString',
};

/**
 * A varbind of the command line: `OID=LETTER:VALUE`, or `NAME=VALUE` where MIB files say the type. Throws TRAP_VARBIND_INVALID.
 */
export function parseVarbind(word: string, naming: Pick<VarbindNaming, 'resolve' | 'find'>): Varbind {
  const [, name = '', letter, value = ''] = /^([^=]+)=(?:([a-zA-Z]):)?(.*)$/s.exec(word) ?? [];
  if (name === '') throw refuse(word, 'it has no OID and value');
  const oid = normalizeOid(naming.resolve(name));
  if (oid === undefined) throw refuse(word, `"${name}" is not an OID; names need --mibs`);
  const node = naming.find?.(oid);
  const type = letter === undefined ? typeOf(node) : typeByLetter[letter];
  if (type === undefined) {
    const letters = Object.keys(typeByLetter).join(', ');
    throw refuse(word, `its type is not known; write it in front of the value, as in OID=i:7 (${letters})`);
  }
  const varbind = readValue(oid, type, letter === 'x' ? Buffer.from(value, 'hex') : value, node);
  if (varbind === undefined) throw refuse(word, `the value does not fit the type ${type}`);
  return varbind;
}

function refuse(word: string, reason: string) {
  return usageFailure('TRAP_VARBIND_INVALID', { word, reason });
}

function typeOf(node: Typed | undefined): SnmpType | undefined {
  if (node?.type === undefined) return undefined;
  const { type } = node;
  if (type === 'Unsigned32') return 'Gauge32';
  return type === 'Bits' ? 'OctetString' : type;
}

function readValue(
  oid: string,
  type: SnmpType,
  value: string | Buffer,
  node: Typed | undefined,
): Varbind | undefined {
  if (type === 'OctetString') return { oid, type, value: Buffer.from(value) };
  const text = value.toString();
  switch (type) {
    case 'IpAddress':
      return isIPv4(text) ? { oid, type, value: text } : undefined;
    case 'ObjectIdentifier': {
      const named = normalizeOid(text);
      return named === undefined ? undefined : { oid, type, value: named };
    }
    case 'Counter64': {
      const wide = /^\d{1,20}$/.test(text) ? BigInt(text) : -1n;
      return wide >= 0n && wide < 2n ** 64n ? { oid, type, value: wide } : undefined;
    }
    case 'Integer32': {
      const number = node?.enums?.[text] ?? readNumber(text, -(2 ** 31), 2 ** 31 - 1);
      return number === undefined ? undefined : { oid, type, value: number };
    }
    case 'Gauge32':
    case 'Counter32':
    case 'TimeTicks': {
      const number = readNumber(text, 0, 2 ** 32 - 1);
      return number === undefined ? undefined : { oid, type, value: number };
    }
    default:
      return undefined;
  }
}

function readNumber(text: string, min: number, max: number): number | undefined {
  const number = /^-?\d{1,10}$/.test(text) ? Number(text) : Number.NaN;
  return number >= min && number <= max ? number : undefined;
}
