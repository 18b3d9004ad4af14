import assert from 'node:assert/strict';
import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { it } from 'node:test';
import { type Batch, defineOutput, pipelineToken } from '../../src/index.ts';
import { frameBytes } from '../../src/storage/segments/frame.ts';
import { headerBytes } from '../../src/storage/segments/segment-header.ts';
import { createTestBatch, startTestCollector } from '../../src/testing/index.ts';

const stuck = defineOutput({
  name: 'stuck',
  summary: 'Takes nothing.',
  open: () => ({
    async write() {
      throw new Error('not now');
    },
  }),
});

/** How often the numbers of a batch are read when the queues `names` store it on the disk, and the content of each queue. */
async function queueOnce(names: readonly string[]) {
  const collector = await startTestCollector({
    plugins: names.map((name) => ({ plugin: stuck, name, options: { queue: 'disk' } })),
  });
  try {
    let reads = 0;
    const batch = createTestBatch();
    const [column] = batch.columns;
    const counted = {
      ...column,
      get values() {
        reads++;
        return Float64Array.of(1);
      },
    };
    collector.getService(pipelineToken).push({ ...batch, columns: [counted] } as unknown as Batch);
    const records = names.map((name) => {
      const folder = join(collector.stateDirectory, 'queues', encodeURIComponent(name));
      const [segment] = readdirSync(folder);
      return readFileSync(join(folder, segment!)).subarray(headerBytes + frameBytes);
    });
    return { reads, records };
  } finally {
    await collector.stop();
  }
}

it('encodes a batch once for several disk queues', async () => {
  const one = await queueOnce(['stuck']);
  const three = await queueOnce(['stuck', 'stuck/second', 'stuck/third']);
  assert.ok(one.reads > 0 && one.records[0]!.length > 0);
  assert.equal(three.reads, one.reads);
  assert.deepEqual(three.records, Array(3).fill(one.records[0]));
});
