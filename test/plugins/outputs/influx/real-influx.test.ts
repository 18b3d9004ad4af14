import assert from 'node:assert/strict';
import { writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { after, before, describe, it } from 'node:test';
import influx from '../../../../plugins/outputs/influx/index.ts';
import { createTestBatch } from '../../../../src/testing/index.ts';
import { missingTool } from '../../../support/needs.ts';
import { hostileStrings } from '../support/hostile-strings.ts';
import { type HttpProgram, startHttpProgram } from '../support/http-program.ts';
import { runOutput } from '../support/running-output.ts';

const tools = { influx: 'influxd', victoria: 'victoria-metrics' };
const slotMs = Math.floor(Date.now() / 1000) * 1000 - 60_000;
const texts = Object.values(hostileStrings);

/** Poll `number`, with one row per hostile text. */
const createPoll = (number: number) =>
  createTestBatch({
    record: 'IF-MIB::ifEntry',
    slotMs: slotMs + number * 10_000,
    sequence: number,
    rows: texts.map((text, i) => ({
      key: String(i),
      labels: { index: String(i), name: text },
      values: { in: 2n ** 62n + BigInt(number), level: i + number / 8, up: number === 1, text },
    })),
  });

const configuration = (port: number, folder: string) => `reporting-disabled = true
bind-address = "127.0.0.1:0"
[meta]
  dir = "${folder}/meta"
[data]
  dir = "${folder}/data"
  wal-dir = "${folder}/wal"
[http]
  bind-address = "127.0.0.1:${port}"
  log-enabled = false
[monitor]
  store-enabled = false
`;

describe("Debian's InfluxDB", { skip: missingTool(tools.influx) }, () => {
  let server: HttpProgram;
  before(async () => {
    server = await startHttpProgram({
      command: tools.influx,
      readyPath: '/ping',
      async prepare(port, folder) {
        await writeFile(join(folder, 'influxdb.conf'), configuration(port, folder));
        return ['-config', join(folder, 'influxdb.conf')];
      },
    });
    await ask('CREATE DATABASE snmp', 'POST');
  });
  after(() => server?.[Symbol.asyncDispose]());

  const ask = async (query: string, method = 'GET') => {
    const parameters = new URLSearchParams({ q: query, db: 'snmp', epoch: 'ms' });
    return (await fetch(`${server.url}/query?${parameters}`, { method })).text();
  };

  it('stores every value, all 63 bits of a counter, and every text', async () => {
    await using output = await runOutput(influx, { url: server.url, database: 'snmp', raw_line_ends: true });
    await output.deliver(createPoll(0), createPoll(1));
    assert.deepEqual([output.counters.delivered, output.counters.dropped], [2, 0], output.logText);
    const answer = await ask('SELECT * FROM "IF-MIB::ifEntry" GROUP BY index');
    assert.equal(answer.match(/4611686018427387905/g)?.length, texts.length, 'a counter lost a bit');
    const { results } = JSON.parse(answer) as Answered;
    const { series } = results[0]!;
    assert.equal(series.length, texts.length);
    for (const { tags, columns, values } of series) {
      const index = Number(tags.index);
      const points = values.map((row) => Object.fromEntries(columns.map((column, i) => [column, row[i]])));
      assert.deepEqual(
        points.map(({ time, level, up }) => [time, level, up]),
        [0, 1].map((number) => [slotMs + number * 10_000, index + number / 8, number === 1]),
      );
      const sent = Buffer.from(texts[index]!).toString();
      const kept = points[0]!['text'] as string;
      assert.ok(
        sent.length < 9_000 ? kept === sent : sent.startsWith(kept),
        JSON.stringify(kept).slice(0, 200),
      );
      assert.equal(points[0]!['device'], 'router-1');
    }
  });

  it('stores all rows but the one that it refuses', async () => {
    await using output = await runOutput(influx, { url: server.url, database: 'snmp' });
    const row = (index: string, v: number | string) => ({ labels: { index }, values: { v } });
    await output.deliver(createTestBatch({ record: 'conflict', slotMs, rows: [row('0', 1)] }));
    const text = createTestBatch({ record: 'conflict', slotMs: slotMs + 1, rows: [row('1', 'text')] });
    const number = createTestBatch({ record: 'conflict', slotMs: slotMs + 2, rows: [row('2', 2)] });
    await output.deliver(text, number);
    assert.deepEqual([output.counters.delivered, output.counters.dropped], [2, 1]);
    assert.match(output.logText, /field type conflict/);
    const { results } = JSON.parse(await ask('SELECT v FROM conflict')) as Answered;
    assert.deepEqual(results[0]!.series[0]!.values, [
      [slotMs, 1],
      [slotMs + 2, 2],
    ]);
  });
});

describe("Debian's VictoriaMetrics", { skip: missingTool(tools.victoria) }, () => {
  it('stores every number by line protocol of version 1 and 2', async () => {
    await using server = await startHttpProgram({
      command: tools.victoria,
      readyPath: '/health',
      prepare: (port, folder) => [
        `-httpListenAddr=127.0.0.1:${port}`,
        `-storageDataPath=${folder}/data`,
        '-memory.allowedBytes=64MB',
      ],
    });
    for (const [number, target] of [{ database: 'snmp' }, { bucket: 'snmp', org: 'x' }].entries()) {
      await using output = await runOutput(influx, { url: server.url, counters: 'float', ...target });
      await output.deliver(createPoll(number));
      assert.deepEqual([output.counters.delivered, output.counters.retries], [1, 0], output.logText);
    }
    await fetch(`${server.url}/internal/force_flush`);
    const wanted = new URLSearchParams({ 'match[]': '{__name__="IF-MIB::ifEntry_level"}' });
    const lines = (await (await fetch(`${server.url}/api/v1/export?${wanted}`)).text()).trim().split('\n');
    const exported = lines.map((line) => JSON.parse(line) as Exported);
    const byIndex = new Map<number, [number, number][]>();
    for (const { metric, timestamps, values } of exported) {
      const points = timestamps.map((ms, i): [number, number] => [ms, values[i]!]);
      byIndex.set(
        Number(metric['index']),
        [...(byIndex.get(Number(metric['index'])) ?? []), ...points].sort(),
      );
    }
    assert.deepEqual(
      [...byIndex].sort(([a], [b]) => a - b),
      texts.map((_, i) => [i, [0, 1].map((number) => [slotMs + number * 10_000, i + number / 8])]),
    );
  });
});

interface Answered {
  readonly results: readonly {
    readonly series: readonly {
      readonly tags: { readonly index: string };
      readonly columns: readonly string[];
      readonly values: readonly (readonly unknown[])[];
    }[];
  }[];
}

interface Exported {
  readonly metric: Readonly<Record<string, string>>;
  readonly values: readonly number[];
  readonly timestamps: readonly number[];
}
