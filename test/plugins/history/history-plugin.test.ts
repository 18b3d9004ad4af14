import assert from 'node:assert/strict';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { describe, it } from 'node:test';
import history, { historyToken } from '../../../plugins/history/index.ts';
import httpApi from '../../../plugins/http-api/index.ts';
import { httpApiToken } from '../../../plugins/http-api/service.ts';
import httpRoutes from '../../../plugins/http-routes/index.ts';
import { pipelineToken } from '../../../src/index.ts';
import { checkPlugin, createTestBatch, startTestCollector } from '../../../src/testing/index.ts';
import { until } from '../../support/until.ts';

const startMs = Date.UTC(2026, 0, 31, 12);
const hostile = '=HYPERLINK("http://192.0.2.1"),\n<script>';

async function startHistory({ stateDirectory }: { readonly stateDirectory?: string } = {}) {
  const collector = await startTestCollector({
    ...(stateDirectory === undefined ? {} : { stateDirectory }),
    plugins: [
      { plugin: httpRoutes },
      { plugin: history, options: { delivery: { group_wait_ms: 0 } } },
      { plugin: httpApi, options: { port: 0, limits: { loop_delay_ms: 60_000 } } },
    ],
  });
  const { baseUrl } = collector.getService(httpApiToken);
  const pipeline = collector.getService(pipelineToken);
  for (let i = 0; i < 5; i++) {
    const timeMs = startMs + 60_000 * i;
    pipeline.push(
      createTestBatch({
        timeMs,
        slotMs: timeMs,
        intervalMs: 60_000,
        rows: [
          {
            key: 'a',
            labels: { name: hostile },
            values: { octets: BigInt(600 * i), level: i === 2 ? Number.NaN : i },
          },
          { key: hostile, labels: {}, values: i === 1 ? { octets: 0n } : { octets: 0n, level: 1 } },
        ],
      }),
    );
  }
  while (pipeline.counters.outputs['history']!.delivered < 5)
    await new Promise((next) => setTimeout(next, 2));
  const get = async (query: string) => {
    const answer = await fetch(`${baseUrl}/api/v1/history${query}`);
    const text = await answer.text();
    const isJson = answer.headers.get('content-type')?.includes('json') === true;
    return {
      status: answer.status,
      type: answer.headers.get('content-type'),
      text,
      body: isJson ? JSON.parse(text) : {},
    };
  };
  return { collector, get };
}

const range = `device=router-1&record=TEST-MIB::testEntry&from=${startMs}&to=2026-01-31T12:04:30Z`;

describe('the output history', () => {
  it('keeps the contract of a plugin', async () => {
    await checkPlugin(history, { needs: { routes: { add: () => {}, addMetrics: () => {} } } });
  });

  it('drops what a former owner of a device read after the first reading of the present one', async () => {
    const { collector, get } = await startHistory();
    try {
      const pipeline = collector.getService(pipelineToken);
      for (const [epoch, minute] of [
        [4, 0],
        [5, 2],
        [4, 1],
        [4, 2],
        [4, 3],
        [5, 4],
        [2, 9],
        [2, 10],
      ] as const) {
        const timeMs = startMs + 60_000 * minute;
        const device = { name: 'owned', ip: '192.0.2.9', port: 161 };
        const rows = [{ key: 'a', labels: {}, values: { level: epoch } }];
        const times = { timeMs, slotMs: timeMs, intervalMs: 60_000 };
        pipeline.push(createTestBatch({ device, shard: 7, epoch, ...times, rows }));
      }
      const counters = () => pipeline.counters.outputs['history']!;
      await until(() => counters().queued === 0);
      assert.deepEqual([counters().droppedBy.fenced, counters().droppedBy.refused], [3, 0]);
      const { body } = await get(`?${range.replace('router-1', 'owned')}&row=a`);
      assert.deepEqual(body.series[0].values, [4, 4, 5, null, 5]);
      // etcd has lost its data, and epochs have begun again.
      const later = await get(`?${range.replace('router-1', 'owned').replace('12:04:30', '12:10:30')}&row=a`);
      assert.deepEqual(later.body.series[0].values.slice(-2), [null, 2]);
    } finally {
      await collector.stop();
    }
  });

  it('answers with columns as JSON and with lines as CSV, refuses what it cannot answer, and says what each tier holds', async () => {
    const { collector, get } = await startHistory();
    try {
      const { body, status } = await get(`?${range}&row=a`);
      assert.equal(status, 200);
      assert.deepEqual(
        body.times,
        [0, 1, 2, 3, 4].map((i) => startMs + 60_000 * i),
      );
      const [octets, level] = body.series;
      assert.deepEqual(octets, {
        device: 'router-1',
        record: 'TEST-MIB::testEntry',
        row: 'a',
        labels: { name: hostile },
        field: 'octets_rate',
        metric: 'gauge',
        values: [null, 10, 10, 10, 10],
        gaps: [{ from: startMs, to: startMs, why: 'unseeded' }],
      });
      assert.deepEqual(level.values, [0, 1, null, 3, 4]);
      const csv = await get(`?${range}&field=level&format=csv`);
      assert.equal(csv.type, 'text/csv; charset=utf-8');
      const lines = csv.text.split('\r\n');
      assert.equal(lines[0], 'time,device,record,row,field,value,missing');
      assert.equal(lines[1], '2026-01-31T12:00:00.000Z,router-1,TEST-MIB::testEntry,a,level,0,');
      const quoted = `"'=HYPERLINK(""http://192.0.2.1""),\n<script>"`;
      assert.equal(
        lines[7],
        `2026-01-31T12:01:00.000Z,router-1,TEST-MIB::testEntry,${quoted},level,,noSuchInstance`,
      );
      const refused: readonly (readonly [query: string, status: number, code: string])[] = [
        ['', 400, 'HTTP_INPUT_INVALID'],
        [`?${range}&step=0`, 400, 'HTTP_INPUT_INVALID'],
        [`?device=x&record=y&from=yesterday`, 400, 'HISTORY_TIME_INVALID'],
        [`?device=x&record=y&from=-99999999999d`, 400, 'HISTORY_TIME_INVALID'],
        [`?device=x&record=y&from=${startMs}&to=${startMs}`, 400, 'HISTORY_RANGE_INVALID'],
        [`?device=x&record=y&from=0&step=1`, 422, 'HISTORY_TOO_MANY_VALUES'],
      ];
      for (const [query, expected, code] of refused) {
        const answer = await get(query);
        assert.deepEqual([answer.status, answer.body.code], [expected, code], query);
      }
      const nothing = await get('?device=x&record=y&from=0');
      assert.deepEqual(nothing.body, { times: [], series: [] });
      const { body: state } = await get('/state');
      const tiers = state.tiers.map(({ tier, from, to, maxDays }: Record<string, unknown>) => [
        tier,
        from,
        to,
        maxDays,
      ]);
      assert.deepEqual(tiers, [
        ['polled', '2026-01-31T12:00:00.000Z', '2026-01-31T12:04:00.000Z', 14],
        ['five_minutes', undefined, undefined, 90],
        ['hours', undefined, undefined, 730],
      ]);
      assert.equal(state.values, 20);
      const service = collector.getService(historyToken);
      const question = {
        devices: ['router-1'],
        record: 'TEST-MIB::testEntry',
        fields: ['level'],
        fromMs: startMs,
        toMs: startMs + 300_000,
        stepMs: 300_000,
        aggregate: 'max',
      } as const;
      const { series } = await service.ask(question, new AbortController().signal);
      assert.deepEqual(
        series.map(({ values }) => values),
        [[4], [1]],
      );
      assert.equal(service.state.values, 20);
    } finally {
      await collector.stop();
    }
  });

  it('says which part of an answer was made up, also after a restart', async (t) => {
    const stateDirectory = mkdtempSync(join(tmpdir(), 'waywiser-history-'));
    t.after(() => rmSync(stateDirectory, { recursive: true, force: true }));
    const pastMs = startMs - 120_000;
    const madeUp = { from: pastMs, to: startMs - 60_000 };
    const earlier = `device=router-1&record=TEST-MIB::testEntry&field=level&row=a&to=2026-01-31T12:04:30Z&from=`;
    for (const round of ['first', 'second']) {
      const { collector, get } = await startHistory({ stateDirectory });
      try {
        if (round === 'first') {
          const batches = [pastMs, startMs - 60_000].map((timeMs) =>
            createTestBatch({
              timeMs,
              slotMs: timeMs,
              intervalMs: 60_000,
              rows: [{ key: 'a', labels: {}, values: { level: 9 } }],
            }),
          );
          collector.getService(historyToken).addMadeUp(batches);
        }
        const { body } = await get(`?${earlier}${pastMs}`);
        assert.deepEqual(body.madeUp, madeUp, round);
        // The values are old: the next start removes them.
        if (round === 'first') assert.deepEqual(body.series[0].values, [9, 9, 0, 1, null, 3, 4]);
        assert.deepEqual((await get(`?${earlier}${pastMs + 30_000}`)).body.madeUp.from, pastMs + 30_000);
        assert.equal((await get(`?${earlier}${startMs}`)).body.madeUp, undefined);
      } finally {
        await collector.stop();
      }
    }
  });
});
