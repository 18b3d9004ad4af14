import assert from 'node:assert/strict';
import { existsSync, readdirSync, readFileSync, rmSync, statSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, it } from 'node:test';
import { type Batch, defineOutput, PermanentError, pipelineToken } from '../../src/index.ts';
import { DeadLetters } from '../../src/pipeline/queue/dead-letters.ts';
import { createTestBatch, startTestCollector } from '../../src/testing/index.ts';
import { temporaryFolder } from '../support/temporary-folder.ts';
import { until } from '../support/until.ts';

const folder = temporaryFolder();

const quick = { group_wait_ms: 0, retry_from_ms: 1, retry_to_ms: 4, drain_timeout_ms: 2_000 };

/** An output that accepts every group on which `take` does not throw. */
const outputOf = (take: (batches: readonly Batch[]) => void) =>
  defineOutput({ name: 'sink', summary: 'Takes batches.', open: () => ({ write: take }) });

describe('an output with `queue: disk`', () => {
  const options = { queue: 'disk', disk_queue: { directory: join(folder, 'queues') }, delivery: quick };

  it('delivers the rest in the next run, and stops without waiting for a failing output', async () => {
    let attempts = 0;
    const dead = outputOf(() => {
      attempts++;
      throw new Error('down');
    });
    const first = await startTestCollector({ plugins: [{ plugin: dead, name: 'sink/one', options }] });
    for (let sequence = 1; sequence <= 50; sequence++) {
      first.getService(pipelineToken).push(createTestBatch({ sequence }));
    }
    const before = attempts;
    await first.stop();
    // With pauses of milliseconds, a drain that went on would make hundreds of attempts.
    assert.ok(attempts - before <= 2, `${attempts - before} attempts during the stop`);
    assert.deepEqual(readdirSync(join(folder, 'queues')), ['sink%2Fone']);

    const taken: number[] = [];
    const alive = outputOf((batches) => void taken.push(...batches.map(({ sequence }) => sequence)));
    const second = await startTestCollector({ plugins: [{ plugin: alive, name: 'sink/one', options }] });
    const pipeline = second.getService(pipelineToken);
    await until(() => pipeline.counters.outputs['sink/one']?.delivered === 50);
    const { restored, accepted, dropped, queued } = pipeline.counters.outputs['sink/one']!;
    assert.deepEqual(
      { restored, accepted, dropped, queued },
      { restored: 50, accepted: 0, dropped: 0, queued: 0 },
    );
    assert.deepEqual(
      taken,
      Array.from({ length: 50 }, (_, i) => i + 1),
    );
    await second.stop();
  });

  it('counts waiting batches with their age and size', async () => {
    const hung = defineOutput({
      name: 'sink',
      summary: 'Hangs.',
      open: () => ({ write: () => new Promise<void>(() => {}) }),
    });
    const settings = { ...options, delivery: { ...quick, drain_timeout_ms: 1 } };
    const collector = await startTestCollector({
      plugins: [{ plugin: hung, name: 'sink/two', options: settings }],
    });
    const pipeline = collector.getService(pipelineToken);
    const beforeMs = Date.now();
    pipeline.push(createTestBatch());
    await until(() => pipeline.counters.outputs['sink/two']?.queued === 1);
    const { queuedBytes, oldestMs } = pipeline.counters.outputs['sink/two']!;
    assert.ok(queuedBytes > 256 && queuedBytes < 1_000);
    assert.ok(oldestMs! >= beforeMs && oldestMs! <= Date.now());
    await collector.stop();
  });

  it('logs at a stop how many batches are left, of which output, where they are and why', async () => {
    const refusing = outputOf(() => {
      throw new Error('no route');
    });
    const collector = await startTestCollector({
      plugins: [{ plugin: refusing, name: 'sink/three', options: { ...options, delivery: quick } }],
    });
    const pipeline = collector.getService(pipelineToken);
    for (let i = 0; i < 3; i++) pipeline.push(createTestBatch());
    await until(() => (pipeline.counters.outputs['sink/three']?.retries ?? 0) > 0);
    await collector.stop();
    const logged = collector.logLines.find(({ batches }) => batches === 3);
    assert.match(
      String(logged!['message']),
      /^3 batches of sink\/three stay in \/.+sink%2Fthree until the next start\.$/,
    );
    assert.match(JSON.stringify(logged!['error']), /no route/);
  });
});

describe('dead letters', () => {
  it('are kept with the time and the reason if dead_letter_bytes is set', async () => {
    const picky = outputOf(() => {
      throw new PermanentError('wrong shape');
    });
    const delivery = { ...quick, dead_letter_bytes: 100_000 };
    const collector = await startTestCollector({ plugins: [{ plugin: picky, options: { delivery } }] });
    const pipeline = collector.getService(pipelineToken);
    pipeline.push(createTestBatch({ rows: [{ values: { bytes: 2n ** 64n - 1n } }] }));
    await until(() => pipeline.counters.outputs['sink']?.droppedBy.refused === 1);
    const { stateDirectory } = collector;
    const [line, rest] = readFileSync(join(stateDirectory, 'dead-letters', 'sink.ndjson'), 'utf8').split(
      '\n',
    );
    const letter = JSON.parse(line!);
    assert.equal(rest, '');
    assert.equal(letter.why, 'wrong shape');
    assert.equal(letter.rows[0].values.bytes, '18446744073709551615');
    await collector.stop();
  });

  it('stay below their size limit, and report a batch that is too large', () => {
    const path = join(folder, 'letters', 'sink.ndjson');
    const errors: string[] = [];
    const letters = new DeadLetters({
      path,
      maxBytes: 10_000,
      onError: (error) => void errors.push(String(error)),
    });
    const long = createTestBatch({ rows: [{ values: { text: 'x'.repeat(9_000) } }] });
    for (let sequence = 1; sequence <= 100; sequence++)
      letters.keep([long, createTestBatch({ sequence })], 'no');
    assert.equal(errors.length, 100);
    assert.match(errors[0]!, /A batch of 9\d{3} bytes is larger than half of dead_letter_bytes/);
    const sizes = [path, `${path}.old`].map((each) => statSync(each).size);
    assert.ok(
      sizes.every((size) => size > 0 && size <= 5_000),
      String(sizes),
    );
    assert.match(readFileSync(path, 'utf8'), /"sequence":100,/);
    assert.ok(!existsSync(`${path}.old.old`));
  });

  it('are written to a new file after the old one was moved away', () => {
    const path = join(folder, 'taken', 'sink.ndjson');
    const letters = new DeadLetters({
      path,
      maxBytes: 2_000,
      onError: (error) => assert.fail(String(error)),
    });
    const keepOne = (sequence: number) =>
      letters.keep([createTestBatch({ sequence, rows: [{ values: { text: 'x'.repeat(500) } }] })], 'no');
    keepOne(1);
    rmSync(path);
    for (const sequence of [2, 3]) keepOne(sequence);
    assert.match(readFileSync(path, 'utf8'), /"sequence":3,/);
  });

  it('are not affected by an incomplete letter that a crash or a full disk left', () => {
    const path = join(folder, 'torn', 'sink.ndjson');
    const letters = new DeadLetters({
      path,
      maxBytes: 10_000,
      onError: (error) => assert.fail(String(error)),
    });
    writeFileSync(path, '{"refusedAt":"2026');
    for (const sequence of [1, 2]) letters.keep([createTestBatch({ sequence })], 'no');
    const [torn, ...lines] = readFileSync(path, 'utf8').trim().split('\n');
    assert.equal(torn, '{"refusedAt":"2026');
    assert.deepEqual(
      lines.map((line) => JSON.parse(line).sequence),
      [1, 2],
    );
  });
});
