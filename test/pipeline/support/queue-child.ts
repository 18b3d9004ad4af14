import { openSync, writeSync } from 'node:fs';
import { argv, memoryUsage, stdout } from 'node:process';
import type { Batch } from '../../../src/model/batch.ts';
import { type DeliverySettings, deliverySchema } from '../../../src/pipeline/delivery-settings.ts';
import { DiskQueue } from '../../../src/pipeline/queue/disk-queue.ts';
import { createTestBatch } from '../../../src/testing/index.ts';
import { Value } from '../../../src/typebox.ts';
import { openDelivery } from './open-delivery.ts';

/**
 * A process to be killed. It fills a queue as fast as it can and delivers to a file, one line per group: the first sequence of the process,
 * the sequences of the group, a dot. It records every put in another file. It prints `started` with the time of the start, and `empty`.
 * With `hang`, the fourth group is written but its delivery never ends, and it prints `hanging`.
 */
const [directory = '', acceptedPath = '', sinkPath = '', mode = '', first = '', count = '', group = ''] =
  argv.slice(2);
const accepted = openSync(acceptedPath, 'a');
const sink = openSync(sinkPath, 'a');
// The last line of a killed process may be incomplete.
writeSync(accepted, '\n');
const isOutage = mode === 'outage';
let groups = 0;

async function write(batches: readonly Batch[]): Promise<void> {
  if (isOutage) throw new Error('down');
  const sequences = batches.map(({ sequence }) => sequence).join(' ');
  // The line before may be incomplete.
  writeSync(sink, `\n${first} ${sequences} .`);
  if (mode !== 'hang' || ++groups < 4) return;
  stdout.write('hanging {}\n');
  await new Promise(() => {});
}

const byDefault = Value.Default(deliverySchema, {}) as DeliverySettings;
const quick = { group_batches: Number(group), retry_to_ms: 500 };

const begun = performance.now();
const queue = await DiskQueue.open(
  { directory, maxBytes: 2 ** 34, maxAgeMs: 0, whenFull: 'drop_newest', syncEveryMs: 200 },
  { onError: (error) => stdout.write(`failed ${String(error)}\n`) },
);
const startMs = Math.round(performance.now() - begun);
const { delivery } = openDelivery(write, group === 'default' ? byDefault : quick, () => queue);
stdout.write(`started ${JSON.stringify({ startMs, size: queue.size, rss: memoryUsage.rss() })}\n`);

const template = createTestBatch({
  rows: Array.from({ length: 4 }, (_, i) => ({
    labels: { port: `Gi0/${i}` },
    values: { bytes: BigInt(i) << 40n },
  })),
});
const end = Number(first) + Number(count);
for (let sequence = Number(first); sequence < end; ) {
  let notes = '';
  for (let i = 0; i < 50 && sequence < end; i++, sequence++) {
    delivery.put({ ...template, sequence });
    notes += `${sequence}.\n`;
  }
  writeSync(accepted, notes);
  await new Promise(setImmediate);
}
while (isOutage || delivery.counters.queued > 0) await new Promise((resolve) => setTimeout(resolve, 5));
const { dropped } = delivery.counters;
stdout.write(`empty ${JSON.stringify({ dropped, rss: memoryUsage.rss() })}\n`);
await delivery.drain();
