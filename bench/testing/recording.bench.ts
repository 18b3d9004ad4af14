import { parseOid } from '../../src/model/oid.ts';
import { parseRecording } from '../../src/testing/index.ts';

/** What reading recordings and hostile OIDs costs. One JSON line per figure, with its target. */
const varbinds = 200_000;
const text = Array.from(
  { length: varbinds },
  (_, i) => `1.3.6.1.2.1.2.2.1.${1 + (i >> 14)}.${i & 16383}|65|${i}`,
).join('\n');

print(
  'read a recording of 200,000 varbinds',
  medianOf(5, () => parseRecording(text)),
  2_000,
);
print(
  'refuse an OID of one million digits',
  medianOf(5, () => parseOid('1'.repeat(1_000_000))),
  250,
);
print(
  'refuse an OID of half a million arcs',
  medianOf(5, () => parseOid('1.'.repeat(500_000))),
  250,
);

function medianOf(runs: number, work: () => unknown): number {
  const times = Array.from({ length: runs }, () => {
    const begun = performance.now();
    work();
    return performance.now() - begun;
  });
  return times.sort((a, b) => a - b)[runs >> 1]!;
}

function print(figure: string, value: number, target: number): void {
  console.log(JSON.stringify({ figure, value: Number(value.toPrecision(3)), unit: 'ms', target }));
}
