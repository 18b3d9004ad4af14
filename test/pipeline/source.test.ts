import assert from 'node:assert/strict';
import { describe, it, type TestContext } from 'node:test';
import {
  type Batch,
  defineSource,
  pipelineToken,
  rowsOf,
  type SourceContext,
  serviceToken,
  Type,
} from '../../src/index.ts';
import { checkPlugin, createRecordingOutput, startTestCollector } from '../../src/testing/index.ts';

const device = { name: 'this-machine', ip: '127.0.0.1', port: 0 };

/** Starts a source of which the test drives `push` and `every`, over a pipeline that keeps what is pushed. */
async function startSource(t: TestContext) {
  let source: SourceContext | undefined;
  const plugin = defineSource({
    name: 'subject',
    summary: 'Measures for a test.',
    fields: { load: { 'load.1m': { kind: 'gauge', unit: '%' } } },
    open(context) {
      source = context;
    },
  });
  const pushed: Batch[] = [];
  const pipeline = { isPaused: false, push: (batch: Batch) => void pushed.push(batch) };
  const collector = await startTestCollector({
    plugins: [{ plugin, name: 'subject/two' }],
    services: [[pipelineToken, pipeline]],
  });
  t.after(() => collector.stop());
  return { ...source!, pushed, pipeline, collector };
}

describe('defineSource', () => {
  it('keeps the contract of a plugin', async () => {
    const plugin = defineSource({
      name: 'subject',
      summary: 'Measures for a test.',
      options: Type.Object({ every_ms: Type.Integer({ description: 'how often to measure', default: 1 }) }),
      open: ({ options, every, push }) =>
        every(options.every_ms, () => push({ device, record: 'r', rows: [] })),
    });
    await checkPlugin(plugin);
  });

  it('gives a batch the start time of its counters, where the source knows it', async (t) => {
    const { push, pushed } = await startSource(t);
    push({ device, record: 'load', rows: [], startedMs: 1_700_000_000_000 });
    push({ device, record: 'load', rows: [] });
    assert.equal(pushed[0]!.startedMs, 1_700_000_000_000);
    assert.ok(!('startedMs' in pushed[1]!));
  });

  it('gives open the options and the services that the source needs', async () => {
    const clock = serviceToken<{ now(): number }>('clock');
    let seen: unknown;
    const plugin = defineSource({
      name: 'subject',
      summary: 'S.',
      options: Type.Object({ a: Type.Integer({ default: 3 }) }),
      needs: { clock },
      open({ name, options, needs }) {
        seen = [name, options.a, needs.clock.now()];
      },
    });
    const collector = await startTestCollector({
      plugins: [{ plugin }],
      services: [[clock, { now: () => 7 }]],
    });
    assert.deepEqual(seen, ['subject', 3, 7]);
    await collector.stop();
  });

  it('fills in all that a batch needs', async (t) => {
    const { push, pushed } = await startSource(t);
    const beforeMs = Date.now();
    push({ device, record: 'load', rows: [{ key: 'cpu', values: { 'load.1m': 0.5 } }] });
    push({
      device,
      record: 'load',
      rows: [],
      slotMs: 5,
      generation: 4,
      plan: 'own',
      tags: { site: 'north' },
    });
    const [first, second] = pushed as [Batch, Batch];
    assert.deepEqual([...rowsOf(first)], [{ key: 'cpu', labels: {}, values: { 'load.1m': 0.5 } }]);
    assert.equal(first.columns[0]?.unit, '%');
    const headOf = ({ plan, record, sequence, generation, tags }: Batch) => ({
      plan,
      record,
      sequence,
      generation,
      tags,
    });
    const head = { plan: 'subject/two', record: 'load' };
    assert.deepEqual(headOf(first), { ...head, sequence: 0, generation: 1, tags: {} });
    assert.deepEqual(headOf(second), {
      ...head,
      plan: 'own',
      sequence: 1,
      generation: 4,
      tags: { site: 'north' },
    });
    assert.ok(first.timeMs >= beforeMs && first.slotMs === first.timeMs);
    assert.equal(second.slotMs, 5);
    assert.equal(second.columns[0]?.field, 'load.1m');
  });

  it('sends to the named outputs only', async () => {
    const [one, other] = [createRecordingOutput('one'), createRecordingOutput('other')];
    const plugin = defineSource({
      name: 'subject',
      summary: 'S.',
      open({ push }) {
        push({ device, record: 'secret', rows: [{}] }, new Set(['one']));
        push({ device, record: 'public', rows: [{}] });
      },
    });
    const collector = await startTestCollector({
      plugins: [{ plugin: one.plugin }, { plugin: other.plugin }, { plugin }],
    });
    await one.waitFor((batches) => batches.length === 2);
    await collector.stop();
    assert.deepEqual(
      other.batches.map(({ record }) => record),
      ['public'],
    );
  });

  it('pushes nothing after the stop', async (t) => {
    const { push, pushed, collector } = await startSource(t);
    await collector.stop();
    push({ device, record: 'load', rows: [] });
    assert.deepEqual(pushed, []);
  });
});

describe('every', () => {
  const turns = async (t: TestContext, count: number) => {
    for (let i = 0; i < count; i++) {
      for (let turn = 0; turn < 3; turn++) await Promise.resolve();
      t.mock.timers.tick(10);
      for (let turn = 0; turn < 3; turn++) await Promise.resolve();
    }
  };
  const start = async (t: TestContext) => {
    const started = await startSource(t);
    t.mock.timers.enable({ apis: ['setInterval', 'Date'], now: 1_000 });
    return started;
  };

  it('measures at once and then at each interval, with the time that it was due', async (t) => {
    const { every } = await start(t);
    const slots: number[] = [];
    every(10, (slotMs) => void slots.push(slotMs));
    await turns(t, 2);
    assert.deepEqual(slots, [1_000, 1_010, 1_020]);
  });

  it('leaves out a measurement while the one before it runs', async (t) => {
    const { every } = await start(t);
    const ends: (() => void)[] = [];
    every(10, () => new Promise<void>((end) => void ends.push(end)));
    await turns(t, 3);
    assert.equal(ends.length, 1);
    ends[0]!();
    await turns(t, 2);
    assert.equal(ends.length, 2);
  });

  it('leaves out measurements while the pipeline is paused', async (t) => {
    const { every, pipeline } = await start(t);
    let count = 0;
    pipeline.isPaused = true;
    every(10, () => void count++);
    await turns(t, 2);
    assert.equal(count, 0);
    pipeline.isPaused = false;
    await turns(t, 1);
    assert.equal(count, 1);
  });

  it('logs a measurement that throws or rejects, and goes on', async (t) => {
    const { every, collector } = await start(t);
    let count = 0;
    every(10, () => {
      count++;
      if (count === 1) throw new Error('thrown');
      return count === 2 ? Promise.reject(new Error('rejected')) : undefined;
    });
    await turns(t, 2);
    assert.equal(count, 3);
    const failures = collector.logLines.filter(({ message }) => message === 'The measurement failed.');
    assert.deepEqual(
      failures.map(({ error }) => error),
      [{ message: 'thrown' }, { message: 'rejected' }],
    );
  });

  it('ends with the plugin', async (t) => {
    const { every, collector } = await start(t);
    let count = 0;
    every(10, () => void count++);
    await collector.stop();
    await turns(t, 3);
    assert.equal(count, 1);
  });
});
