import type { Varbind } from '../codec/snmp-value.ts';

/** About as many octets as varbinds take in a message. */
export function countOctets(varbinds: readonly Varbind[]): number {
  return varbinds.reduce(
    (sum, { oid, value }) => sum + oid.length / 2 + 6 + (value instanceof Uint8Array ? value.length : 4),
    0,
  );
}
