import assert from 'node:assert/strict';
import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, it } from 'node:test';
import { gzipSync } from 'node:zlib';
import fc from 'fast-check';
import { compareOids } from '../../../../src/model/oid.ts';
import { encodeOid } from '../../../../src/snmp/codec/oid-bytes.ts';
import { loadRecording, parseRecording } from '../../../../src/testing/replay/recording/load-recording.ts';
import { temporaryFolder } from '../../../support/temporary-folder.ts';
import { varbindsOf } from './recorded-varbinds.ts';

/** Around the edges where an arc takes one octet more, so that the order of octets and of arcs differ. */
const arc = fc.oneof(
  fc.constantFrom(
    0,
    1,
    127,
    128,
    129,
    255,
    256,
    16383,
    16384,
    16385,
    2097151,
    2097152,
    268435456,
    4294967295,
  ),
  fc.nat(300),
);
const oid = fc
  .tuple(fc.nat(2), fc.nat(39), fc.array(arc, { maxLength: 6 }))
  .map(([first, second, rest]) => [first, second, ...rest].join('.'));

describe('recording', () => {
  it('finds the same as a naive search through sorted OIDs, for any order of the file', () => {
    fc.assert(
      fc.property(fc.array(oid, { maxLength: 40 }), fc.array(oid, { maxLength: 20 }), (recorded, asked) => {
        const recording = parseRecording(recorded.map((text, i) => `${text}|2|${i}`).join('\n'));
        const naive = recorded
          .map((text, value) => ({ oid: text, value }))
          .sort((a, b) => compareOids(a.oid, b.oid) || a.value - b.value);
        const stored = varbindsOf(recording);
        assert.deepEqual(
          stored.map((varbind) => ({ oid: varbind.oid, value: varbind.value })),
          naive,
        );
        for (const text of [...asked, ...recorded]) {
          const octets = encodeOid(text)!;
          const after = naive.findIndex((entry) => compareOids(entry.oid, text) > 0);
          assert.equal(recording.positionAfter(octets), after < 0 ? naive.length : after);
          const last = naive.findLastIndex((entry) => entry.oid === text);
          assert.equal(recording.find(octets), last < 0 ? undefined : last);
          const [first, end] = recording.rangeUnder(octets);
          assert.deepEqual(
            naive.slice(first, end),
            naive.filter((entry) => entry.oid === text || entry.oid.startsWith(`${text}.`)),
          );
        }
      }),
      { numRuns: 300 },
    );
  });

  it('finds the last of duplicates, and walks return the first, as in snmpsim', () => {
    const recording = parseRecording('1.3.1|2|0\n1.3.5|2|1\n1.3.5|2|2\n1.3.5|2|3\n1.3.9|2|9');
    const value = (position: number | undefined) => varbindsOf(recording)[position!]?.value;
    assert.equal(value(recording.find(encodeOid('1.3.5')!)), 3);
    assert.equal(value(recording.positionAfter(encodeOid('1.3.1')!)), 1);
    assert.equal(value(recording.positionAfter(encodeOid('1.3.5')!)), 9);
  });

  it('contains OIDs and values whose lengths take more than one octet', () => {
    const long = `1.3.${Array(126).fill(4294967295).join('.')}`;
    const recording = parseRecording(`${long}|4|${'x'.repeat(70_000)}\n1.3.6|4|${'y'.repeat(200)}`);
    const [short, huge] =
      recording.size === 2 ? [recording.find(encodeOid('1.3.6')!), recording.find(encodeOid(long)!)] : [];
    assert.deepEqual([short, huge], [0, 1]);
    assert.equal(recording.endOf(1) - recording.startOf(1) > 70_000, true);
  });

  it('is the same from a file, a compressed file, and lines split across chunks', async (t) => {
    const folder = temporaryFolder(t);
    const text = Array.from({ length: 40_000 }, (_, i) => `1.3.6.1.4.1.${i}|4|value ${i}`).join('\n');
    writeFileSync(join(folder, 'a.snmprec'), text);
    writeFileSync(join(folder, 'a.snmprec.gz'), gzipSync(text));
    const expected = parseRecording(text).entries;
    assert.ok((await loadRecording(join(folder, 'a.snmprec'))).entries.equals(expected));
    assert.ok((await loadRecording(join(folder, 'a.snmprec.gz'))).entries.equals(expected));
  });

  it('rejects a file with the name and line of the error', async (t) => {
    const folder = temporaryFolder(t);
    const path = join(folder, 'bad.snmprec');
    writeFileSync(path, '1.3.6|2|1\n1.3.6.1|2|x\n');
    await assert.rejects(loadRecording(path), {
      message: `${path}:2: a value of tag 2 must be a whole number, not "x"`,
    });
    await assert.rejects(loadRecording(join(folder, 'missing.snmprec')), { code: 'ENOENT' });
  });

  it('takes less memory for 200,000 varbinds than their text', () => {
    const text = Array.from(
      { length: 200_000 },
      (_, i) => `1.3.6.1.2.1.2.2.1.${1 + (i >> 14)}.${i & 16383}|65|${i}`,
    ).join('\n');
    const recording = parseRecording(text);
    assert.equal(recording.size, 200_000);
    assert.ok(recording.entries.length < text.length);
  });
});
