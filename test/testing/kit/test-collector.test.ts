import assert from 'node:assert/strict';
import { existsSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, it } from 'node:test';
import {
  definePlugin,
  defineProcessor,
  gapAt,
  pathOption,
  pipelineToken,
  rowsOf,
  serviceToken,
  Type,
} from '../../../src/index.ts';
import {
  createRecordingOutput,
  createTestBatch,
  startTestCollector,
  type TestCollectorOptions,
} from '../../../src/testing/index.ts';

const clock = serviceToken<{ now(): number }>('clock');

describe('startTestCollector', () => {
  it('records debug lines, and trace lines when asked', async () => {
    const plugin = definePlugin({
      name: 'logger',
      kind: 'source',
      summary: 'T.',
      start: ({ log }) => {
        log.debug('a debug line');
        log.trace('a trace line');
      },
    });
    const listMessages = async (options: Pick<TestCollectorOptions, 'logLevel'>) => {
      const collector = await startTestCollector({ plugins: [{ plugin }], ...options });
      await collector.stop();
      return collector.logLines.filter(({ plugin: of }) => of === 'logger').map(({ message }) => message);
    };
    assert.deepEqual(await listMessages({}), ['a debug line', 'The plugin has started.']);
    assert.deepEqual(await listMessages({ logLevel: 'trace' }), [
      'a debug line',
      'a trace line',
      'The plugin has started.',
    ]);
  });

  it('starts the given plugins with options, names and fakes, and removes its state at the end', async () => {
    let seen: unknown;
    const plugin = definePlugin({
      name: 'subject',
      kind: 'source',
      summary: 'S.',
      options: Type.Object({ file: pathOption({ description: 'f', default: 'x' }) }),
      needs: { clock },
      start({ name, options, needs, collector, events, log }) {
        seen = [name, options.file, needs.clock.now()];
        writeFileSync(join(collector.stateDirectory, 'kept'), 'x');
        log.info('hello');
        events.emit('collector.stopping', { why: 'no' });
      },
    });
    const collector = await startTestCollector({
      plugins: [{ plugin, name: 'subject/two', options: {} }],
      services: [[clock, { now: () => 7 }]],
    });
    const { stateDirectory } = collector;
    assert.deepEqual(seen, ['subject/two', join(stateDirectory, 'x'), 7]);
    assert.equal(collector.getService(clock).now(), 7);
    assert.deepEqual(
      collector.describe().plugins.map(({ name }) => name),
      ['fake-clock', 'subject/two'],
    );
    assert.ok(
      collector.logLines.some(({ message, plugin }) => message === 'hello' && plugin === 'subject/two'),
    );
    assert.ok(existsSync(stateDirectory));
    await collector.stop();
    await collector.stop();
    assert.equal(existsSync(stateDirectory), false);
  });

  it('rejects wrong options with a list of them', async () => {
    const plugin = definePlugin({ name: 'x', kind: 'source', summary: 'S.', start() {} });
    await assert.rejects(
      startTestCollector({ plugins: [{ plugin, options: { prot: 1 } }] }),
      /"prot" is not a known key/,
    );
  });

  it('removes its state when a start fails', async () => {
    let state = '';
    const plugin = definePlugin({
      name: 'x',
      kind: 'source',
      summary: 'S.',
      start({ collector }) {
        state = collector.stateDirectory;
        throw new Error('no');
      },
    });
    await assert.rejects(startTestCollector({ plugins: [{ plugin }] }), { code: 'PLUGIN_START_FAILED' });
    assert.equal(existsSync(state), false);
  });

  it('rejects stop when a plugin failed to stop', async () => {
    const undo = () => Promise.reject(new Error('broken undo'));
    const plugin = definePlugin({
      name: 'x',
      kind: 'api',
      summary: 'S.',
      start: ({ onStop }) => onStop(undo),
    });
    const collector = await startTestCollector({ plugins: [{ plugin }] });
    await assert.rejects(collector.stop(), /"x" failed while it was stopping.*broken undo/);
  });
});

describe('recording output', () => {
  it('keeps batches from the pipeline, and waits for them', async () => {
    const recording = createRecordingOutput();
    const even = defineProcessor({
      name: 'even',
      summary: 'Even only.',
      open: () => (batch) => (batch.sequence % 2 === 0 ? batch : undefined),
    });
    const collector = await startTestCollector({ plugins: [{ plugin: recording.plugin }, { plugin: even }] });
    try {
      const waiting = recording.waitFor((batches) => batches.length === 2);
      for (let sequence = 1; sequence <= 4; sequence++) {
        collector.getService(pipelineToken).push(createTestBatch({ sequence }));
      }
      assert.deepEqual(
        (await waiting).map(({ sequence }) => sequence),
        [2, 4],
      );
      assert.equal((await recording.waitFor(() => true)).length, 2);
    } finally {
      await collector.stop();
    }
  });

  it('reports the batches that arrived when the expected ones do not', async () => {
    const { waitFor } = createRecordingOutput();
    await assert.rejects(
      waitFor(() => false, { timeoutMs: 5 }),
      /did not arrive within 5 ms; arrived: nothing/,
    );
  });
});

describe('createTestBatch', () => {
  it('makes columns of every kind, with gaps where a row lacks a value', () => {
    const rows = [
      {
        key: '1',
        labels: { name: 'eth0' },
        values: { n: 1.5, c: 2n ** 64n - 1n, b: true, t: 'x', l: ['a'] },
      },
      { key: '2', labels: {}, values: { n: 2, c: 7n } },
    ];
    const batch = createTestBatch({ record: 'X::y', rows });
    assert.equal(batch.record, 'X::y');
    assert.deepEqual([...rowsOf(batch)], [rows[0], { key: '2', labels: {}, values: { n: 2, c: 7 } }]);
    assert.deepEqual(
      batch.columns.map(({ kind }) => kind),
      ['number', 'counter', 'boolean', 'text', 'list'],
    );
    assert.equal(gapAt(batch.columns[2]!, 1), 'noSuchInstance');
    assert.equal(batch.columns[0]!.gaps, undefined);
  });

  it('has one row by default', () => {
    assert.deepEqual([...rowsOf(createTestBatch())], [{ key: '1', labels: {}, values: { value: 1 } }]);
  });
});
