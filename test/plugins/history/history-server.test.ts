import assert from 'node:assert/strict';
import { once } from 'node:events';
import { writeFile } from 'node:fs/promises';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { join } from 'node:path';
import { describe, it } from 'node:test';
import { setTimeout as sleep } from 'node:timers/promises';
import history, {
  type HistoryAnswer,
  type HistoryQuestion,
  type HistorySeries,
  historyToken,
} from '../../../plugins/history/index.ts';
import httpRoutes from '../../../plugins/http-routes/index.ts';
import { httpRoutesToken } from '../../../plugins/http-routes/service.ts';
import remoteWrite from '../../../plugins/outputs/prometheus-remote-write/index.ts';
import { type Batch, explainError, HttpProblem, pipelineToken } from '../../../src/index.ts';
import { createTestBatch, startTestCollector } from '../../../src/testing/index.ts';
import { missingTool } from '../../support/needs.ts';
import { startHttpProgram } from '../outputs/support/http-program.ts';

const minuteMs = 60_000;
const polls = 40;
/** So long that a server has to aggregate the values of months. */
const longStepMs = 500 * minuteMs;
/**
 * A long step begins with the first poll, between the polls, and after the last one. The other moments are too near to the first
 * poll of a series: Prometheus only estimates a rate over more time than there are polls.
 */
const boundaryMs = Math.floor((Date.now() - (polls + 10) * minuteMs) / longStepMs) * longStepMs;
const devices = [0, 30, 40].map((minutes) => ({
  device: { name: `a "quoted" \\ name ${minutes}`, ip: '192.0.2.1', port: 161 },
  firstMs: boundaryMs - minutes * minuteMs,
}));
const { device, firstMs } = devices[0]!;
const record = 'IF-MIB::ifEntry';
const isDown = (number: number) => number >= 20 && number < 24;

/** Two interfaces that exchange their indexes after ten polls. No poll during four minutes, when the device is down. */
function* listPolls({ device, firstMs }: (typeof devices)[number]): Generator<Batch> {
  for (let number = 0; number < polls; number++) {
    const timeMs = firstMs + number * minuteMs;
    const head = {
      device,
      tags: { site: 'lab' },
      sequence: number + 1,
      slotMs: timeMs,
      timeMs,
      intervalMs: minuteMs,
    };
    yield createTestBatch({
      ...head,
      record: 'waywiser::device',
      plan: 'health',
      rows: [{ key: 'device', values: { up: !isDown(number) } }],
    });
    if (isDown(number)) continue;
    const batch = createTestBatch({
      ...head,
      record,
      rows: ['ge-0', 'ge-1'].map((name, i) => ({
        key: `netif.name=${name}`,
        labels: { netif: String(number < 10 ? i : 1 - i), 'netif.name': name },
        values: {
          'netif.bytes.in': BigInt(number * 6_000 * (i + 1)),
          'cpu.used': (number % 5) * 10 + i,
          'netif.up': number % 2 === i,
        },
      })),
    });
    const units: Readonly<Record<string, string>> = { 'cpu.used': '%', 'netif.bytes.in': 'B' };
    const columns = batch.columns.map((column) => ({ ...column, unit: units[column.field] }));
    yield { ...batch, columns: columns as Batch['columns'] };
  }
}

const range = { devices: [device.name], record, fromMs: firstMs, toMs: firstMs + polls * minuteMs };
const questions: Readonly<Record<string, HistoryQuestion>> = {
  'as polled': { ...range, aggregate: 'mean' },
  'one row': { ...range, rows: ['netif.name=ge-1'], fields: ['cpu.used'], aggregate: 'mean' },
  'a time within': {
    ...range,
    fromMs: firstMs + 600_500,
    toMs: firstMs + 1_000_000,
    fields: ['netif.bytes.in_rate'],
    aggregate: 'mean',
  },
  'means of five minutes': { ...range, stepMs: 300_000, aggregate: 'mean' },
  'maxima of five minutes': { ...range, stepMs: 300_000, aggregate: 'max' },
  'counts of five minutes': { ...range, stepMs: 300_000, fields: ['cpu.used'], aggregate: 'count' },
};

async function startHistory(plugins: readonly object[], options: object) {
  const collector = await startTestCollector({
    env: { SERVER_TOKEN: 'secret-of-the-server' },
    plugins: [
      { plugin: httpRoutes },
      ...(plugins as []),
      { plugin: history, options: { ...options, delivery: { group_wait_ms: 0 } } },
    ],
  });
  const pipeline = collector.getService(pipelineToken);
  const all = devices.flatMap((each) => [...listPolls(each)]);
  for (const batch of all) pipeline.push(batch);
  while (Object.values(pipeline.counters.outputs).some(({ delivered }) => delivered < all.length))
    await sleep(2);
  const service = collector.getService(historyToken);
  return {
    collector,
    ask: (question: HistoryQuestion) => service.ask(question, new AbortController().signal),
    metrics: async () => {
      const list = await collector.getService(httpRoutesToken).listMetrics();
      return new Map(list.map(({ name, samples }) => [name, samples[0]?.value]));
    },
    [Symbol.asyncDispose]: () => collector.stop(),
  };
}

async function assertSameGraphs(url: string, flush: () => Promise<unknown>): Promise<void> {
  await using disk = await startHistory([], {});
  await using served = await startHistory(
    [{ plugin: remoteWrite, options: { url: `${url}/api/v1/write` } }],
    { from: 'prometheus', url },
  );
  await flush();
  for (const [name, question] of Object.entries(questions)) {
    const expected = await disk.ask(question);
    assert.ok(expected.series.length > 0, name);
    // Ratios of Prometheus are percents again, but for the last bit.
    assert.deepEqual(rounded(await served.ask(question)), rounded(expected), name);
  }
  const { series } = await served.ask(questions['as polled']!);
  assert.deepEqual(
    series[0]!.gaps.filter(({ why }) => why === 'down').map(({ fromMs }) => fromMs),
    [firstMs + 20 * minuteMs],
  );
  for (const { device, firstMs } of devices) {
    const toMs = firstMs + polls * minuteMs;
    const months: HistoryQuestion = {
      ...range,
      devices: [device.name],
      fromMs: toMs - 15e9,
      toMs: toMs + 1,
      stepMs: longStepMs,
      aggregate: 'max',
    };
    for (const aggregate of ['max', 'mean', 'min', 'count'] as const) {
      // The server estimates rates: their number is not that of the polls, and their mean is low where a series begins.
      const isMeasured = ({ field }: HistorySeries) => !/_rate$/.test(field) || aggregate === 'max';
      const filled = (answer: HistoryAnswer) => listFilled(answer, isMeasured);
      const expected = filled(await disk.ask({ ...months, aggregate }));
      assert.ok(expected.length > 0);
      const answer = await served.ask({ ...months, aggregate });
      assert.deepEqual(filled(answer), expected, `${aggregate} of ${device.name}`);
      if (aggregate === 'count') continue;
      const rates = answer.series.filter(({ field }) => field === 'netif.bytes.in_rate');
      for (const value of rates.flatMap(({ values }) => values)) {
        assert.ok(value === null || (value > 60 && value < 201), `${aggregate} of ${device.name}: ${value}`);
      }
    }
  }
  assert.deepEqual(await served.ask({ ...range, record: 'none', aggregate: 'mean' }), {
    times: [],
    series: [],
  });
  const metrics = await served.metrics();
  assert.ok(metrics.get('waywiser_history_questions_total')! > 6);
  assert.equal(metrics.get('waywiser_history_failed_questions_total'), 0);
}

function listFilled(answer: HistoryAnswer, isWanted: (series: HistorySeries) => boolean) {
  const wanted = rounded(answer).series.filter(isWanted);
  return wanted.map(({ row, field, values }) => [row, field, values.filter((value) => value !== null)]);
}

function rounded<Answer>(answer: Answer): Answer {
  return JSON.parse(JSON.stringify(answer), (_, value: unknown) =>
    typeof value === 'number' && value < 1e9 ? Math.round(value * 1e6) / 1e6 : value,
  ) as Answer;
}

describe('the history of a server', () => {
  it("draws the same graphs from Debian's VictoriaMetrics as from its own files", {
    skip: missingTool('victoria-metrics'),
  }, async () => {
    await using server = await startHttpProgram({
      command: 'victoria-metrics',
      readyPath: '/health',
      prepare: (port, folder) => [
        `-httpListenAddr=127.0.0.1:${port}`,
        `-storageDataPath=${folder}/data`,
        '-memory.allowedBytes=64MB',
      ],
    });
    await assertSameGraphs(server.url, () => fetch(`${server.url}/internal/force_flush`));
  });

  it("draws the same graphs from Debian's Prometheus as from its own files", {
    skip: missingTool('prometheus'),
  }, async () => {
    await using server = await startHttpProgram({
      command: 'prometheus',
      readyPath: '/-/ready',
      async prepare(port, folder) {
        await writeFile(join(folder, 'prometheus.yml'), '');
        const own = [`--config.file=${folder}/prometheus.yml`, `--storage.tsdb.path=${folder}/data`];
        return [...own, '--web.enable-remote-write-receiver', `--web.listen-address=127.0.0.1:${port}`];
      },
    });
    await assertSameGraphs(server.url, async () => undefined);
  });

  it('says that an answer is not one of the query API, whatever it is', async () => {
    const bodies = [
      '<!doctype html><title>Sign in</title>',
      '',
      'null',
      '[]',
      '{"status":"success","data":{"resultType":"matrix","result":[null]}}',
      '{"status":"success","data":{"resultType":"matrix","result":[{"metric":null,"values":[]}]}}',
      '{"status":"success","data":{"resultType":"scalar","result":7}}',
    ];
    let body = '';
    const server = createServer((_, reply) => reply.end(body)).listen(0, '127.0.0.1');
    await once(server, 'listening');
    const url = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
    try {
      await using served = await startHistory([], { from: 'prometheus', url });
      for (body of bodies) {
        const failure = await served.ask(questions['one row']!).then(
          () => assert.fail(`it took ${body}`),
          (error: unknown) => error,
        );
        assert.ok(failure instanceof HttpProblem, String(failure));
        assert.equal(failure.code, 'HISTORY_SERVER_FAILED');
        assert.match(failure.message, /is not one of the query API of Prometheus\. Check "url"\.$/);
        assert.doesNotMatch(failure.message, /[<{]/);
      }
    } finally {
      server.closeAllConnections();
      server.close();
    }
  });

  it('says that its server does not answer, with no secret, and does not start without an address', async () => {
    await using served = await startHistory([], {
      from: 'prometheus',
      url: 'http://127.0.0.1:1',
      token: '${env:SERVER_TOKEN}',
    });
    const failure = await served.ask(questions['as polled']!).then(
      () => assert.fail('it answered'),
      (error: unknown) => error,
    );
    assert.ok(failure instanceof HttpProblem);
    assert.deepEqual([failure.status, failure.code], [502, 'HISTORY_SERVER_FAILED']);
    assert.match(failure.message, /127\.0\.0\.1:1/);
    assert.doesNotMatch(JSON.stringify([failure.message, served.collector.logLines]), /secret-of-the-server/);
    assert.equal((await served.metrics()).get('waywiser_history_failed_questions_total'), 1);
    const refused = await startHistory([], { from: 'prometheus' }).then(
      () => assert.fail('it started'),
      explainError,
    );
    assert.match(refused, /"url" must be set/);
  });
});
