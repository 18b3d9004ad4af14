/** An object identifier as text: arcs in decimal, dots between them, none in front. */
export type Oid = string;

export const maxOidArcs = 128;
const maxArc = 0xffffffff;
const dot = 0x2e;

/** The arcs of `text`, a leading dot allowed; undefined when it is not an OID. Stops reading at the first error. */
export function parseOid(text: string): number[] | undefined {
  const arcs: number[] = [];
  let arc = -1;
  for (let i = text.charCodeAt(0) === dot ? 1 : 0; i <= text.length; i++) {
    const code = i === text.length ? dot : text.charCodeAt(i);
    if (code === dot) {
      if (arc < 0 || arcs.push(arc) > maxOidArcs) return undefined;
      arc = -1;
      continue;
    }
    const digit = code - 0x30;
    if (digit < 0 || digit > 9) return undefined;
    arc = arc < 0 ? digit : arc * 10 + digit;
    if (arc > maxArc) return undefined;
  }
  return arcs;
}

/** `.1.3.6` and `1.3.6` become `1.3.6`; undefined when it is not an OID. */
export function normalizeOid(text: string): Oid | undefined {
  return parseOid(text)?.join('.');
}

/** Compares arc by arc, a prefix first: the order in which agents answer. */
export function compareOids(left: Oid, right: Oid): number {
  const a = left.split('.');
  const b = right.split('.');
  const shared = Math.min(a.length, b.length);
  for (let i = 0; i < shared; i++) {
    const difference = Number(a[i]) - Number(b[i]);
    if (difference !== 0) return difference;
  }
  return a.length - b.length;
}

/** Whether `oid` is `root` or below it. */
export function isUnderOid(oid: Oid, root: Oid): boolean {
  return oid.startsWith(root) && (oid.length === root.length || oid.charCodeAt(root.length) === dot);
}
