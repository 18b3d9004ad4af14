import assert from 'node:assert/strict';
import { existsSync } from 'node:fs';
import { join } from 'node:path';
import { describe, it, type TestContext } from 'node:test';
import { moveWorkerState } from '../../../../cli/run/workers/worker-state.ts';
import { defineOutput, Type } from '../../../../src/index.ts';
import { createLogger } from '../../../../src/kernel/logger.ts';
import { DiskQueue } from '../../../../src/pipeline/queue/disk-queue.ts';
import { Journal } from '../../../../src/storage/journal.ts';
import { createTestBatch } from '../../../../src/testing/index.ts';
import { temporaryFolder } from '../../../support/temporary-folder.ts';

const inventories = join('snmp-discovery', 'inventories.journal');
const learned = join('snmp-client', 'learned.journal');
const log = createLogger({ level: 'silent', instance: 'test', destination: { write() {} } });
const output = defineOutput({
  name: 'sink',
  summary: 'Takes.',
  options: Type.Object({}),
  open: () => ({ write() {} }),
});
const maxBytes = 1 << 20;
const plugins = [
  {
    name: 'sink',
    plugin: output,
    options: { queue: 'disk', disk_queue: { max_bytes: maxBytes, when_full: 'drop_oldest' } },
  },
];

function write(path: string, values: Readonly<Record<string, unknown>>): void {
  const { journal } = Journal.open(path, { groupMs: 1, onError: assert.ifError });
  for (const [key, value] of Object.entries(values)) journal.set(key, value);
  journal.close();
}

const read = (path: string) => Object.fromEntries(Journal.read(path).values);

const openQueue = (directory: string) =>
  DiskQueue.open(
    { directory, maxBytes, maxAgeMs: 0, whenFull: 'drop_oldest', syncEveryMs: 10 },
    { onError: assert.ifError },
  );

function start(t: TestContext) {
  const state = temporaryFolder(t);
  const of = (worker: string, ...path: string[]) => join(state, 'workers', worker, ...path);
  const move = (...workers: string[]) => moveWorkerState({ stateDirectory: state, workers, plugins, log });
  return { state, of, move };
}

const keys = Array.from({ length: 40 }, (_, i) => `192.0.2.${i} 161`);
const all = Object.fromEntries(keys.map((key, i) => [key, { discoveredMs: i }]));

describe('the state of workers', () => {
  it('goes from one process to workers, to another number of them, and back', async (t) => {
    const { state, of, move } = start(t);
    write(join(state, inventories), all);
    write(join(state, learned), {
      'learned 192.0.2.7:161': { size: 9 },
      'engine [2001:db8::1]:161': { boots: 1 },
    });

    await move('worker-1', 'worker-2');
    const [one, two] = [read(of('worker-1', inventories)), read(of('worker-2', inventories))];
    assert.ok(Object.keys(one).length > 5 && Object.keys(two).length > 5);
    assert.deepEqual({ ...one, ...two }, all);
    assert.equal(Object.keys(one).length + Object.keys(two).length, 40);
    assert.deepEqual(read(join(state, inventories)), {});
    const owner = '192.0.2.7 161' in one ? 'worker-1' : 'worker-2';
    assert.ok('learned 192.0.2.7:161' in read(of(owner, learned)));

    await move('worker-1', 'worker-2', 'worker-3');
    const three = read(of('worker-3', inventories));
    assert.ok(Object.keys(three).length > 3);
    assert.deepEqual(
      { ...three, ...read(of('worker-1', inventories)), ...read(of('worker-2', inventories)) },
      all,
    );

    await move();
    assert.deepEqual(read(join(state, inventories)), all);
    assert.equal(Object.keys(read(join(state, learned))).length, 2);
    assert.ok(!existsSync(of('worker-1')));
  });

  it('keeps the newer of two inventories of a device', async (t) => {
    const { state, of, move } = start(t);
    write(of('worker-1', inventories), { [keys[0]!]: { discoveredMs: 5 }, [keys[1]!]: { discoveredMs: 5 } });
    write(join(state, inventories), { [keys[0]!]: { discoveredMs: 9 }, [keys[1]!]: { discoveredMs: 1 } });
    await move();
    assert.deepEqual(read(join(state, inventories)), {
      [keys[0]!]: { discoveredMs: 9 },
      [keys[1]!]: { discoveredMs: 5 },
    });
  });

  it('includes what was not delivered', async (t) => {
    const { state, of, move } = start(t);
    const sequences = async (directory: string) => {
      const queue = await openQueue(directory);
      const batches = await queue.peek(100);
      await queue.close();
      return batches.map(({ sequence }) => sequence);
    };
    for (const [worker, sequence] of [
      ['worker-1', 1],
      ['worker-2', 2],
    ] as const) {
      const queue = await openQueue(of(worker, 'queues', 'sink'));
      queue.put(createTestBatch({ sequence }));
      await queue.close();
    }
    await move('worker-1');
    assert.deepEqual(await sequences(join(state, 'queues', 'sink')), [2]);
    await move();
    assert.deepEqual(await sequences(join(state, 'queues', 'sink')), [2, 1]);
    assert.ok(!existsSync(of('worker-1', 'queues', 'sink')));
  });
});
