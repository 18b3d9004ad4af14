/** The greatest OID before this one that has no more arcs: the last arc minus one, or the parent of an arc 0. 0.0 has none. */
export function oidBefore(octets: Uint8Array): Uint8Array {
  const arcStart = lastArcStart(octets, 0, octets.length);
  if (octets[arcStart] === 0) return arcStart === 0 ? octets : octets.subarray(0, arcStart);
  const copy = Uint8Array.from(octets);
  let at = octets.length - 1;
  for (; copy[at]! % 128 === 0; at--) copy[at] = copy[at]! + 127;
  copy[at] = copy[at]! - 1;
  // A leading 0x80 would be padding: the arc is one octet shorter now.
  return copy[arcStart] === 0x80
    ? Uint8Array.from([...copy.subarray(0, arcStart), ...copy.subarray(arcStart + 1)])
    : copy;
}

/** Where the last arc of the OID in `bytes[start, end)` begins. */
export function lastArcStart(bytes: Uint8Array, start: number, end: number): number {
  let at = end - 1;
  while (at > start && bytes[at - 1]! > 0x7f) at--;
  return Math.max(at, start);
}
