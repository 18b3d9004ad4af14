import type { Oid } from '../model/oid.ts';

/** The OID without its last arc; empty where there is no other. */
export function parentOid(oid: Oid): Oid {
  return oid.slice(0, Math.max(oid.lastIndexOf('.'), 0));
}
