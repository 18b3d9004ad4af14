import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import fc from 'fast-check';
import { GroupWriter, type LineTarget } from '../../../../plugins/outputs/ndjson/file/group-writer.ts';
import type { Batch } from '../../../../src/index.ts';
import { createTestBatch } from '../../../../src/testing/index.ts';

const groupOf = (name: string): readonly Batch[] => [createTestBatch({ record: name })];
const render = (batches: readonly Batch[]) => batches.map(({ record }) => Buffer.from(`${record}\n`));

/** Accepts a given number of bytes at each write. A negative number is a full disk. */
function createFickleTarget(takes: readonly number[]) {
  let text = '';
  let writes = 0;
  let groups = 0;
  const target: LineTarget = {
    async write(bytes) {
      const take = takes[writes++] ?? bytes.length;
      if (take < 0) throw Object.assign(new Error('no space left'), { code: 'ENOSPC' });
      text += bytes.toString('utf8', 0, Math.min(take, bytes.length));
      return Math.min(take, bytes.length);
    },
    async finishGroup() {
      groups++;
    },
    async close() {},
  };
  return { target, seen: () => ({ text, writes, groups }) };
}

describe('GroupWriter', () => {
  it('writes a group with one write', async () => {
    const { target, seen } = createFickleTarget([]);
    const writer = new GroupWriter(target, render);
    await writer.write(groupOf('one'));
    await writer.write(groupOf('two'));
    assert.deepEqual(seen(), { text: 'one\ntwo\n', writes: 2, groups: 2 });
  });

  it('neither tears nor repeats a line on a full disk', async () => {
    const takes = fc.array(fc.integer({ min: -1, max: 6 }), { maxLength: 60 });
    await fc.assert(
      fc.asyncProperty(takes, async (given) => {
        const { target, seen } = createFickleTarget(given);
        const writer = new GroupWriter(target, render);
        for (const name of ['first', 'second', 'third']) {
          const group = groupOf(name);
          while ((await writer.write(group).catch(() => 'full')) === 'full');
        }
        assert.equal(seen().text, 'first\nsecond\nthird\n');
      }),
    );
  });

  it('joins an abandoned attempt that is still running', async () => {
    let release = () => {};
    const written: string[] = [];
    const writer = new GroupWriter(
      {
        write: (bytes) =>
          new Promise((resolve) => {
            release = () => {
              written.push(bytes.toString());
              resolve(bytes.length);
            };
          }),
        async finishGroup() {},
        async close() {},
      },
      render,
    );
    const group = groupOf('slow');
    const attempts = [writer.write(group), writer.write(group)];
    release();
    await Promise.all(attempts);
    await writer.write(group);
    assert.deepEqual(written, ['slow\n']);
  });
});
