import type { Oid } from '../../model/oid.ts';

const dot = 0x2e;
const zero = 0x30;

/** A text whose order by characters is the order of the OIDs, two characters for each arc. A prefix stays a prefix. */
export function orderKey(oid: Oid): string {
  let key = '';
  let arc = 0;
  for (let at = 0; at <= oid.length; at++) {
    const code = at === oid.length ? dot : oid.charCodeAt(at);
    if (code !== dot) arc = arc * 10 + code - zero;
    else {
      key += String.fromCharCode(arc >>> 16, arc & 0xffff);
      arc = 0;
    }
  }
  return key;
}
