import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import { describe, it } from 'node:test';
import { readSources } from '../house/support/source-file.ts';
import { findLongTests, findNearTests, groupTests } from './group-tests.ts';

describe('the tests of a run', () => {
  it('come once, and one to a process in the long run', () => {
    const all = groupTests(['test/runner', 'test'], false);
    const files = all.flat();
    assert.equal(new Set(files).size, files.length);
    assert.ok(files.length > 300 && all.length < files.length / 4);
    assert.deepEqual(
      groupTests(['test/runner'], true).map(({ length }) => length),
      [1, 1],
    );
  });

  it('start no other program unless you ask for all of them', () => {
    const near = new Set(findNearTests(['test']));
    for (const file of ['test/house/shape.test.ts', 'test/plugins/snmp-poller/rates.test.ts'])
      assert.ok(near.has(file), file);
    // Directly, and through a module that they share.
    for (const file of [
      'test/authoring/drafts/public-drafts.test.ts',
      'test/plugins/cluster/lost-keys.test.ts',
    ])
      assert.ok(!near.has(file), file);
    assert.ok(near.size > 350, String(near.size));
  });

  it('that are longer in the long run are those that ask for it, or read recordings', () => {
    const found = findLongTests(['test']);
    assert.ok(found.length > 25, String(found.length));
    for (const file of found)
      assert.match(readFileSync(file, 'utf8'), /\b(isLong|onlyLong|listSharedRecordings)\b/);
  });

  it('ask for the long run themselves: no module that they share does it for them', () => {
    const asking = readSources('test').filter(({ code }) => /WAYWISER_LONG'\]/.test(code));
    assert.deepEqual(asking.map(({ path }) => path).sort(), [
      'test/run.ts',
      'test/runner/run-tests.ts',
      'test/support/long-run.ts',
    ]);
    const sharing = readSources('test').filter(
      ({ path, code }) => !path.endsWith('.test.ts') && /\/long-run\.ts'/.test(code),
    );
    assert.deepEqual(
      sharing.map(({ path }) => path),
      ['test/support/shared-recordings.ts'],
    );
  });
});
