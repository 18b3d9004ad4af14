import { mkdtemp, readdir, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { Batch } from '../../src/index.ts';
import { BatchDecoder } from '../../src/model/batch-form/batch-decoder.ts';
import { BatchEncoder } from '../../src/model/batch-form/batch-encoder.ts';
import { createInterfaceBatches } from '../outputs/interface-batches.ts';
import { measureScript } from '../support/processes.ts';
import { createIdleBatches } from './idle-interfaces.ts';
import { openQueue } from './open-queue.ts';
import type { QueueStart } from './start-child.ts';

/** The cost of a disk queue, for 500 devices with 48 interfaces each, one JSON line per result. */
const folder = await mkdtemp(join(tmpdir(), 'waywiser-bench-'));
const valuesOf = (batches: readonly Batch[]) =>
  batches.reduce((sum, { rows, columns }) => sum + rows.count * columns.length, 0);
const cpuSeconds = () => {
  const { user, system } = process.cpuUsage();
  return (user + system) / 1e6;
};

function print(
  figure: string,
  value: number,
  unit: string,
  goal?: { atLeast?: number; atMost?: number },
): void {
  const { atLeast = 0, atMost = Infinity } = goal ?? {};
  const reached = goal === undefined ? {} : { goal, reached: value >= atLeast && value <= atMost };
  console.log(JSON.stringify({ figure, value: Number(value.toPrecision(3)), unit, ...reached }));
}

/** Encoding and decoding alone. */
function measureForm(name: string, batches: readonly Batch[]): void {
  const [encoder, decoder] = [new BatchEncoder(), new BatchDecoder()];
  const encoded = batches.map((batch) => Buffer.from(encoder.encode(batch)));
  for (const bytes of encoded) decoder.decode(bytes);
  const values = valuesOf(batches);
  const rounds = 5;
  const begun = cpuSeconds();
  for (let round = 0; round < rounds; round++) for (const batch of batches) encoder.encode(batch);
  const between = cpuSeconds();
  for (let round = 0; round < rounds; round++) for (const bytes of encoded) decoder.decode(bytes);
  const ended = cpuSeconds();
  print(`batch form, ${name}, written`, (rounds * values) / (between - begun), 'values/CPU s');
  print(`batch form, ${name}, read`, (rounds * values) / (ended - between), 'values/CPU s');
  const bytes = encoded.reduce((sum, { length }) => sum + length + 32, 0);
  print(
    `batch form, ${name}`,
    bytes / values,
    'bytes per value',
    name === 'idle interfaces' ? { atMost: 3 } : undefined,
  );
}

/** Concurrent writes and reads by the clock: every batch is read back from the disk after an outage of one round. */
async function measureQueue(batches: readonly Batch[], rounds: number): Promise<void> {
  const queue = await openQueue(join(folder, 'speed'));
  const begunMs = performance.now();
  const begun = cpuSeconds();
  for (let round = 0; round < rounds; round++) {
    for (const batch of batches) queue.put(batch);
    while (queue.size > (round === rounds - 1 ? 0 : batches.length)) {
      await queue.peek(500);
      queue.confirm();
    }
  }
  const values = rounds * valuesOf(batches);
  const seconds = (performance.now() - begunMs) / 1000;
  print('disk queue, in and out', values / seconds, 'values/s', { atLeast: 1_500_000 });
  print('disk queue, in and out', values / (cpuSeconds() - begun), 'values/CPU s');
  await queue.close();
}

/** In a separate process, as after a restart, with nothing else in its memory. */
async function measureStart(batches: readonly Batch[]): Promise<void> {
  const directory = join(folder, 'million');
  const filling = await openQueue(directory);
  const template = batches[0]!;
  const small: Batch = { ...template, rows: { ...template.rows, count: 4 } };
  for (let sequence = 1; sequence <= 1_000_000; sequence++) filling.put({ ...small, sequence });
  const { bytes } = filling;
  await filling.close();
  const files = await readdir(directory);
  const start = await measureScript<QueueStart>('queue/start-child.ts', directory);
  print('disk queue, start with a million', start.openMs, 'ms', { atMost: 10_000 });
  print('disk queue, first group of a million', start.firstGroupMs, 'ms');
  print('disk queue, resident with a million', start.residentMib, 'MiB', { atMost: 250 });
  print('disk queue, a million batches', bytes / 2 ** 20, `MiB in ${files.length} files`);
}

try {
  const busy = [...createInterfaceBatches(500)];
  measureForm('busy interfaces', busy);
  const idle = [...createIdleBatches(500)];
  measureForm('idle interfaces', idle);
  await measureQueue(busy, 10);
  await measureStart(idle);
} finally {
  await rm(folder, { recursive: true, force: true });
}
