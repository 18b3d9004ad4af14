import assert from 'node:assert/strict';
import { join } from 'node:path';
import { describe, it } from 'node:test';
import {
  createCollector,
  defineOutput,
  definePlugin,
  defineProcessor,
  pipelineToken,
} from '../../src/index.ts';
import type { Batch, Column } from '../../src/model/batch.ts';
import type { Pipeline } from '../../src/pipeline/pipeline.ts';
import { createTestBatch } from '../../src/testing/index.ts';
import { temporaryFolder } from '../support/temporary-folder.ts';
import { until } from '../support/until.ts';

const rows = [{ labels: { port: '1' }, values: { octets: 5n, load: 0.5, up: true, name: 'a', list: ['x'] } }];
const good = createTestBatch({ rows });

/** The batch with another value in one place. */
function change(path: string, value: unknown): unknown {
  const change = (part: object, [key = '', ...rest]: string[]): object => {
    const changed = rest.length === 0 ? value : change(part[key as never], rest);
    return Array.isArray(part)
      ? part.map((item, at) => (String(at) === key ? changed : item))
      : { ...part, [key]: changed };
  };
  return change(good, path.split('.'));
}

const at = (kind: Column['kind']) => good.columns.findIndex((column) => column.kind === kind);

const malformed: Readonly<Record<string, unknown>> = {
  null: null,
  undefined,
  'a number': 7,
  text: 'batch',
  'a list': [good],
  'a promise': Promise.resolve(good),
  'a promise that rejects': Promise.reject(new Error('too late')),
  'an empty object': {},
  'no device': change('device', undefined),
  'a port that is text': change('device.port', '161'),
  'tags that are a list': change('tags', []),
  'a tag that is a number': change('tags', { floor: 3 }),
  'no record': change('record', undefined),
  'NaN as time': change('timeMs', Number.NaN),
  'an endless time': change('slotMs', Number.POSITIVE_INFINITY),
  'a sequence of NaN': change('sequence', Number.NaN),
  'a start time that is text': change('startedMs', 'now'),
  'no rows': change('rows', undefined),
  'no columns': change('columns', undefined),
  'columns that are a map': change('columns', {}),
  'a column that is null': change('columns', [null]),
  'a billion rows': change('rows.count', 1e9),
  'a billion rows with keys': change('rows', { count: 1e9, keys: new Array(1e9), labels: {} }),
  'a negative count': change('rows.count', -1),
  'half a row': change('rows.count', 0.5),
  'more rows than keys': change('rows.count', 2),
  'a key that is a number': change('rows.keys', [1]),
  'a key that is missing': change('rows.keys', [undefined]),
  'labels that are missing': change('rows.labels', undefined),
  'a label that is too long': change('rows.labels', { port: ['1', '2'] }),
  'a label that is an object': change('rows.labels', { port: [{}] }),
  'a kind that nobody knows': change(`columns.${at('number')}.kind`, 'decimal'),
  'numbers in a plain list': change(`columns.${at('number')}.values`, [1]),
  'numbers that are too few': change(`columns.${at('number')}.values`, new Float64Array(0)),
  'a counter with half of its words': change(`columns.${at('counter')}.words`, new Uint32Array(1)),
  'booleans of another type': change(`columns.${at('boolean')}.values`, new Float64Array(1)),
  'text that is a number': change(`columns.${at('text')}.values`, [1]),
  'a list that is text': change(`columns.${at('list')}.values`, ['x']),
  'a name in a list that is null': change(`columns.${at('list')}.values`, [[null]]),
  'gaps of another length': change(`columns.${at('number')}.gaps`, new Uint8Array(2)),
  'an unknown gap': change(`columns.${at('number')}.gaps`, Uint8Array.of(200)),
  'a column without a field': change(`columns.${at('number')}.field`, undefined),
  'a unit that is a number': change(`columns.${at('number')}.unit`, 1),
  'a metric that nobody knows': change(`columns.${at('number')}.metric`, 'histogram'),
  'two columns with one field': change('columns', [good.columns[0], good.columns[0]]),
  'huge text': change(`columns.${at('text')}.values`, ['x'.repeat(2 ** 25)]),
  'a getter that throws': Object.defineProperty({ ...good }, 'rows', {
    get() {
      throw new Error('in a getter');
    },
  }),
  'a then that throws': Object.defineProperty({}, 'then', {
    get() {
      throw new Error('in then');
    },
  }),
};

describe('malformed batches', () => {
  /** A collector whose foreign source and processor send what the test tells them, and what a foreign output received. */
  async function run(t: Parameters<typeof temporaryFolder>[0], use: (parts: Parts) => Promise<void>) {
    let pipeline: Pipeline | undefined;
    const received: Batch[] = [];
    const lines: Record<string, unknown>[] = [];
    const answers: unknown[] = [];
    const folder = temporaryFolder(t);
    const collector = await createCollector(
      {
        state_directory: folder,
        plugins: {
          ndjson: { file: join(folder, 'out.ndjson'), delivery: { group_wait_ms: 0 } },
          source: definePlugin({
            name: 'hostile-source',
            kind: 'source',
            summary: 'Sends anything.',
            needs: { pipeline: pipelineToken },
            start({ needs }) {
              pipeline = needs.pipeline;
            },
          }),
          processor: defineProcessor({
            name: 'hostile-processor',
            summary: 'Returns anything.',
            open: () => (batch) => (answers.length === 0 ? batch : (answers.shift() as Batch)),
          }),
          output: [
            defineOutput({
              name: 'listening',
              summary: 'Keeps what it receives.',
              open: () => ({ write: (group) => void received.push(...group) }),
            }),
            { delivery: { group_wait_ms: 0 } },
          ],
        },
      },
      { env: {}, log: { write: (line) => lines.push(JSON.parse(line)) } },
    );
    await collector.start();
    try {
      await use({ pipeline: pipeline!, answers, received, lines });
    } finally {
      assert.deepEqual(await collector.stop(), []);
    }
  }

  interface Parts {
    readonly pipeline: Pipeline;
    readonly answers: unknown[];
    readonly received: readonly Batch[];
    readonly lines: readonly Readonly<Record<string, unknown>>[];
  }

  const count = Object.keys(malformed).length;
  // Node.js reports it before the test hands it over.
  (malformed['a promise that rejects'] as Promise<unknown>).catch(() => {});

  it('from a source are dropped, counted and reported once, and what follows is delivered', async (t) => {
    await run(t, async ({ pipeline, received, lines }) => {
      for (const [name, batch] of Object.entries(malformed)) {
        const before = pipeline.counters.malformed['source'] ?? 0;
        pipeline.push(batch as Batch);
        assert.equal(pipeline.counters.malformed['source'], before + 1, name);
      }
      pipeline.push(good);
      await until(() => received.length === 1);
      await until(() => pipeline.counters.outputs['ndjson']?.delivered === 1);
      assert.equal(pipeline.counters.malformed['source'], count);
      const { sequence, columns } = received[0]!;
      assert.deepEqual([sequence, columns], [good.sequence, good.columns]);
      const blamed = lines.filter(({ source }) => source === 'source');
      assert.equal(blamed.length, 1);
      assert.match(String(blamed[0]?.['message']), /"source" sent a malformed batch: it is null\./);
      assert.match(JSON.stringify(blamed[0]), /BATCH_MALFORMED/);
    });
  });

  it('from a processor are dropped, counted and blamed on it, also among good ones', async (t) => {
    await run(t, async ({ pipeline, answers, received, lines }) => {
      const returned = Object.entries(malformed).filter(
        ([name]) => !['null', 'undefined', 'a list'].includes(name),
      );
      for (const [name, batch] of returned) {
        const before = pipeline.counters.malformed['processor'] ?? 0;
        answers.push([good, batch]);
        pipeline.push(good);
        assert.equal(pipeline.counters.malformed['processor'], before + 1, name);
      }
      await until(() => received.length === returned.length);
      await until(() => pipeline.counters.outputs['ndjson']?.delivered === returned.length);
      assert.deepEqual(Object.keys(pipeline.counters.malformed), ['processor']);
      assert.equal(lines.filter(({ source }) => source === 'processor').length, 1);
    });
  });

  it('include what an async processor returns, whose rejection does not end the collector', async (t) => {
    await run(t, async ({ pipeline, answers, lines }) => {
      answers.push(Promise.reject(new Error('much later')));
      pipeline.push(good);
      assert.equal(pipeline.counters.malformed['processor'], 1);
      assert.match(
        String(lines.at(-1)?.['message']),
        /it is a promise, and batches are passed on synchronously/,
      );
      await new Promise(setImmediate);
    });
  });

  it('are told from good ones, whose rows stay the same object until they change', async (t) => {
    await run(t, async ({ pipeline, received }) => {
      const keys = ['1'];
      const batch = { ...good, rows: { ...good.rows, keys } };
      pipeline.push(batch);
      pipeline.push(batch);
      keys[0] = '2';
      pipeline.push(batch);
      await until(() => received.length === 3);
      const [first, second, third] = received;
      assert.equal(first?.rows, second?.rows);
      assert.deepEqual([first?.rows.keys, third?.rows.keys], [['1'], ['2']]);
    });
  });
});
