import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { coverage } from '../../cli/definitions/coverage/coverage.ts';
import { recordedDevices, uncollectedRoots } from '../../tools/pages/uncollected-roots.ts';
import { printed } from '../cli/support/printed.ts';
import { onlyLong } from '../support/long-run.ts';
import { missingShared, sharedPath } from '../support/needs.ts';

interface Coverage {
  readonly uncollectedRoots?: readonly { readonly oid: string }[];
}

describe('the list of roots that nothing collects, in docs/collected.md', () => {
  it('has the 20 most frequent ones of the recorded devices, and how many devices answer each', {
    skip: missingShared('parity/recordings') || onlyLong,
  }, async (t) => {
    const folders = [sharedPath('recordings'), sharedPath('parity/recordings')];
    const lines = await printed(t, () => coverage(folders, { json: true, top: '0' }));
    const reports = lines
      .trim()
      .split('\n')
      .flatMap((line) => (JSON.parse(line) as Coverage).uncollectedRoots ?? []);
    const counted = new Map<string, number>();
    for (const { oid } of reports) counted.set(oid, (counted.get(oid) ?? 0) + 1);
    const listed = new Map<string, number>(uncollectedRoots.map(({ root, devices }) => [root, devices]));
    const mostFirst = [...counted].sort(
      ([a, x], [b, y]) => y - x || Number(listed.has(b)) - Number(listed.has(a)),
    );
    assert.deepEqual(
      mostFirst.slice(0, 20).filter(([root, devices]) => listed.get(root) !== devices),
      [],
    );
    assert.deepEqual(
      [...listed].filter(([root, devices]) => counted.get(root) !== devices),
      [],
    );
    const read = lines
      .trim()
      .split('\n')
      .filter((line) => 'uncollectedRoots' in JSON.parse(line)).length;
    assert.equal(read, recordedDevices);
  });
});
