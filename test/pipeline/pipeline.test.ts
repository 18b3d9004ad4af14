import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { defineOutput, defineProcessor, PermanentError, pipelineToken, Type } from '../../src/index.ts';
import { createPipeline } from '../../src/pipeline/create-pipeline.ts';
import type { Processor } from '../../src/pipeline/pipeline.ts';
import { createRecordingOutput, createTestBatch, startTestCollector } from '../../src/testing/index.ts';
import { until } from '../support/until.ts';
import { openDelivery } from './support/open-delivery.ts';
import { quiet } from './support/quiet-reports.ts';

async function openPipeline(...processors: readonly (readonly [string, Processor])[]) {
  const written: string[] = [];
  const failed: string[] = [];
  const pipeline = createPipeline({ ...quiet, onProcessorFailure: (name) => void failed.push(name) });
  const removals = processors.map(([name, process]) => pipeline.addProcessor(name, process));
  const { delivery } = openDelivery((group) => void written.push(...group.map(({ record }) => record)));
  pipeline.addOutput(delivery);
  const push = async (...records: string[]) => {
    for (const record of records) pipeline.push(createTestBatch({ record }));
    await until(() => delivery.counters.queued === 0);
    return written.splice(0);
  };
  return { pipeline, push, failed, removals, end: () => delivery.drain() };
}

const mark = (letter: string): readonly [string, Processor] => [
  letter,
  (batch) => ({ ...batch, record: batch.record + letter }),
];

describe('pipeline', () => {
  it('runs processors in the order in which they were added, without removed ones', async () => {
    const { push, removals, end } = await openPipeline(mark('a'), mark('b'), mark('c'));
    assert.deepEqual(await push('x'), ['xabc']);
    removals[1]!();
    assert.deepEqual(await push('x'), ['xac']);
    await end();
  });

  it('filters and splits batches, and counts filtered ones', async () => {
    const split: Processor = (batch) => [batch, { ...batch, record: `${batch.record}2` }];
    const filter: Processor = ({ record }) =>
      record.startsWith('no') ? undefined : createTestBatch({ record });
    const { pipeline, push, end } = await openPipeline(['split', split], ['filter', filter], mark('!'));
    assert.deepEqual(await push('yes', 'no'), ['yes!', 'yes2!']);
    assert.equal(pipeline.counters.pushed, 2);
    assert.equal(pipeline.counters.filtered, 2);
    await end();
  });

  it('drops and counts only the batch on which a processor throws', async () => {
    const split: Processor = (batch) => [batch, { ...batch, record: 'bad' }, { ...batch, record: 'good' }];
    const touchy: Processor = (batch) => {
      if (batch.record === 'bad') throw new Error('bad batch');
      return batch;
    };
    const { pipeline, push, failed, end } = await openPipeline(['split', split], ['touchy', touchy]);
    assert.deepEqual(await push('x'), ['x', 'good']);
    assert.deepEqual(failed, ['touchy']);
    assert.deepEqual(pipeline.counters.processorFailures, { touchy: 1 });
    assert.equal(pipeline.counters.filtered, 0);
    await end();
  });

  it('says whether a batch was lost: a filtered one was not', async () => {
    const filter: Processor = (batch) => {
      if (batch.record === 'bad') throw new Error('bad batch');
      if (batch.record === 'none') return undefined;
      return batch.record === 'malformed' ? ({} as never) : batch;
    };
    const { pipeline, end } = await openPipeline(['filter', filter]);
    const taken = ['x', 'none', 'bad', 'malformed'].map((record) =>
      pipeline.push(createTestBatch({ record })),
    );
    assert.deepEqual(taken, [true, true, false, false]);
    await end();
  });

  it('passes the same batch to every output, but not to a removed one', async () => {
    const pipeline = createPipeline(quiet);
    const seen: unknown[][] = [[], []];
    const deliveries = seen.map((list) => openDelivery((group) => void list.push(...group)).delivery);
    const removals = deliveries.map((delivery) => pipeline.addOutput(delivery));
    const batch = createTestBatch();
    pipeline.push(batch);
    await until(() => seen.every(({ length }) => length === 1));
    assert.equal(seen[0]![0], batch);
    assert.equal(seen[1]![0], batch);
    removals[0]!();
    pipeline.push(batch);
    await until(() => seen[1]!.length === 2);
    assert.equal(seen[0]!.length, 1);
    await Promise.all(deliveries.map((delivery) => delivery.drain()));
  });

  it('passes a batch for named outputs only to those, after the processors', async () => {
    const seen: number[] = [];
    const pipeline = createPipeline(quiet);
    pipeline.addProcessor('twice', (batch) => [batch, { ...batch, sequence: 2 }]);
    const { delivery } = openDelivery((group) => void seen.push(...group.map(({ sequence }) => sequence)));
    pipeline.addOutput(delivery);
    pipeline.push(createTestBatch(), new Set([delivery.output]));
    pipeline.push(createTestBatch(), new Set(['another']));
    await until(() => delivery.counters.delivered === 2);
    assert.deepEqual(seen, [1, 2]);
    assert.equal(pipeline.counters.pushed, 2);
    await delivery.drain();
  });
});

describe('output and processor plugins', () => {
  const hung = defineOutput({
    name: 'hung',
    summary: 'Never ends a write.',
    open: () => ({ write: () => new Promise(() => {}) }),
  });

  it('does not let a hung output delay another output or a push', async () => {
    const recording = createRecordingOutput();
    const options = { delivery: { drain_timeout_ms: 10, group_wait_ms: 0, max_queued_batches: 10 } };
    const collector = await startTestCollector({
      plugins: [{ plugin: hung, options }, { plugin: recording.plugin }],
    });
    try {
      const pipeline = collector.getService(pipelineToken);
      const dropped: unknown[] = [];
      collector.events.on('output.dropped', (payload) => void dropped.push(payload));
      for (let i = 0; i < 1_000; i++) assert.equal(typeof pipeline.push(createTestBatch()), 'boolean');
      // Nothing was awaited: every push was complete when it returned.
      assert.equal(pipeline.counters.outputs['hung']?.accepted, 1_000);
      assert.equal(pipeline.counters.outputs['recording']?.accepted, 1_000);
      await recording.waitFor(({ length }) => length === 1_000);
      await until(() => pipeline.counters.outputs['recording']?.delivered === 1_000);
      const { outputs } = pipeline.counters;
      assert.equal(outputs['hung']?.dropped, 990);
      assert.equal(outputs['hung']?.queued, 10);
    } finally {
      await collector.stop();
    }
  });

  it('passes an output its own frozen options and its delivery settings', async () => {
    let received: object = {};
    const plugin = defineOutput({
      name: 'own',
      summary: 'Looks.',
      options: Type.Object({ url: Type.String({ description: 'u' }) }),
      open: ({ options, name }) => {
        received = { options, name, frozen: Object.isFrozen(options) };
        return { write() {} };
      },
    });
    const collector = await startTestCollector({
      plugins: [{ plugin, name: 'own/second', options: { url: 'x' } }],
    });
    await collector.stop();
    assert.deepEqual(received, { options: { url: 'x' }, name: 'own/second', frozen: true });
  });

  it('closes an output once, after its last write', async () => {
    const done: string[] = [];
    const plugin = defineOutput({
      name: 'closing',
      summary: 'Closes.',
      open: () => ({ write: () => void done.push('write'), close: () => void done.push('close') }),
    });
    const collector = await startTestCollector({ plugins: [{ plugin }] });
    collector.getService(pipelineToken).push(createTestBatch());
    await collector.stop();
    assert.deepEqual(done, ['write', 'close']);
  });

  it('does not start an output whose open throws', async () => {
    const plugin = defineOutput({
      name: 'broken',
      summary: 'Cannot open.',
      open() {
        throw new Error('port in use');
      },
    });
    await assert.rejects(startTestCollector({ plugins: [{ plugin }] }), {
      code: 'PLUGIN_START_FAILED',
      cause: new Error('port in use'),
    });
  });

  it('recognises a PermanentError of a writer', async () => {
    const plugin = defineOutput({
      name: 'picky',
      summary: 'Refuses.',
      open: () => ({
        write() {
          throw new PermanentError('wrong shape');
        },
      }),
    });
    const options = { delivery: { group_wait_ms: 0 } };
    const collector = await startTestCollector({ plugins: [{ plugin, options }] });
    const pipeline = collector.getService(pipelineToken);
    pipeline.push(createTestBatch());
    await until(() => pipeline.counters.outputs['picky']?.dropped === 1);
    await collector.stop();
  });

  it('logs the name of a processor that throws, and continues', async () => {
    const recording = createRecordingOutput();
    const plugin = defineProcessor({
      name: 'touchy',
      summary: 'Throws.',
      open: () => (batch) => {
        if (batch.sequence === 1) throw new Error('bad batch');
        return batch;
      },
    });
    const collector = await startTestCollector({ plugins: [{ plugin: recording.plugin }, { plugin }] });
    try {
      for (const sequence of [1, 2]) collector.getService(pipelineToken).push(createTestBatch({ sequence }));
      await recording.waitFor(({ length }) => length === 1);
      const line = collector.logLines.find(({ processor }) => processor === 'touchy');
      assert.deepEqual(line?.['error'], { message: 'bad batch' });
    } finally {
      await collector.stop();
    }
  });
});
