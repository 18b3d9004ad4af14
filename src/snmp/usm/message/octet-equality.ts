/** Whether `octets[start, end)` equals `expected`. Not for secrets: it stops at the first difference. */
export function holdsOctets(octets: Uint8Array, start: number, end: number, expected: Uint8Array): boolean {
  if (end - start !== expected.length) return false;
  for (let i = 0; i < expected.length; i++) if (octets[start + i] !== expected[i]) return false;
  return true;
}
