import assert from 'node:assert/strict';
import { writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { describe, it } from 'node:test';
import remoteWrite from '../../../../plugins/outputs/prometheus-remote-write/index.ts';
import { createTestBatch } from '../../../../src/testing/index.ts';
import { missingTool } from '../../../support/needs.ts';
import { hostileStrings } from '../support/hostile-strings.ts';
import { startHttpProgram } from '../support/http-program.ts';
import { runOutput } from '../support/running-output.ts';

const tools = { prometheus: 'prometheus', victoria: 'victoria-metrics' };
const device = { name: 'router-1', ip: '192.0.2.1', port: 161 };
const everyMs = 10_000;
const polls = 6;
/** Whole seconds, all of them past. */
const firstMs = Math.floor(Date.now() / everyMs) * everyMs - polls * everyMs;
const texts = Object.values(hostileStrings);

/** Poll `number`: a row for each hostile text; the last row goes after three polls. */
const createPoll = (number: number) =>
  createTestBatch({
    device,
    record: 'IF-MIB::ifEntry',
    sequence: number,
    slotMs: firstMs + number * everyMs,
    timeMs: firstMs + number * everyMs + 200,
    rows: texts.slice(0, number < 3 ? texts.length : -1).map((text, i) => ({
      key: String(i),
      labels: { index: String(i), name: text },
      values: {
        in: BigInt(number) * 1_000_000_007n + BigInt(i),
        level: number / 8 - i,
        up: number % 2 === 0,
      },
    })),
  });

/** The expected samples of a series by name and index: time in seconds and value. */
const expectedOf = (metric: string, index: number) =>
  Array.from({ length: polls }, (_, number): [number, number] => {
    const values: Readonly<Record<string, number>> = {
      snmp_in_total: number * 1_000_000_007 + index,
      snmp_level: number / 8 - index,
      snmp_up: number % 2 === 0 ? 1 : 0,
    };
    return [(firstMs + number * everyMs) / 1000, values[metric]!];
  }).filter((_, number) => number < 3 || index < texts.length - 1);

const asLabel = (text: string) => Buffer.from(text.slice(0, 1024).replaceAll('\0', '\uFFFD')).toString();

/** In two requests: the first one finds the version, the second one also sends metadata. */
async function deliverAll(output: Awaited<ReturnType<typeof runOutput>>): Promise<void> {
  const all = Array.from({ length: polls }, (_, number) => createPoll(number));
  await output.deliver(...all.slice(0, 1));
  await output.deliver(...all.slice(1));
  assert.match(output.logText, /Sent types, help and units to the receiver/);
}

interface Series {
  readonly metric: Readonly<Record<string, string>>;
  readonly samples: readonly (readonly [number, number])[];
}

function assertAllThere(series: readonly Series[]): void {
  const names = ['snmp_in_total', 'snmp_level', 'snmp_up'];
  assert.equal(series.length, names.length * texts.length);
  for (const { metric, samples } of series) {
    const index = Number(metric['index']);
    assert.deepEqual(samples, expectedOf(metric['__name__']!, index), JSON.stringify(metric));
    assert.equal(metric['name'] ?? '', asLabel(texts[index]!));
    assert.equal(metric['device'], device.name);
  }
}

describe("Debian's Prometheus", { skip: missingTool(tools.prometheus) }, () => {
  it('stores every value at its slot, every label, and the ends of series', async () => {
    await using server = await startHttpProgram({
      command: tools.prometheus,
      readyPath: '/-/ready',
      async prepare(port, folder) {
        await writeFile(join(folder, 'prometheus.yml'), '');
        const own = [`--config.file=${folder}/prometheus.yml`, `--storage.tsdb.path=${folder}/data`];
        return [...own, '--web.enable-remote-write-receiver', `--web.listen-address=127.0.0.1:${port}`];
      },
    });
    const ask = async (path: string, parameters: Readonly<Record<string, string>>) => {
      const response = await fetch(`${server.url}/api/v1/${path}?${new URLSearchParams(parameters)}`);
      return ((await response.json()) as { data: { result: Answered[] } }).data.result;
    };
    await using output = await runOutput(remoteWrite, { url: `${server.url}/api/v1/write` });
    await deliverAll(output);
    assert.deepEqual([output.counters.delivered, output.counters.retries], [polls, 0]);

    const time = String((firstMs + (polls - 1) * everyMs) / 1000);
    const found = await ask('query', { query: '{__name__=~"snmp_.*"}[5m]', time });
    assertAllThere(
      found.map(({ metric, values }) => ({
        metric,
        samples: values!.map(([seconds, text]): [number, number] => [seconds, Number(text)]),
      })),
    );

    const living = await ask('query', { query: 'snmp_level', time });
    assert.equal(living.length, texts.length - 1, 'the row that has gone is still there');

    output.collector.events.emit('device.state', { device, from: 'suspect', to: 'down', why: 'silence' });
    let left = living.length;
    for (const end = Date.now() + 10_000; left > 0 && Date.now() < end; ) {
      await new Promise((resolve) => setTimeout(resolve, 50));
      left = (await ask('query', { query: 'snmp_level', time: String(Date.now() / 1000) })).length;
    }
    assert.equal(left, 0, 'a device that is down still has values');
  });
});

describe("Debian's VictoriaMetrics", { skip: missingTool(tools.victoria) }, () => {
  it('stores every value at its slot and every label', async () => {
    await using server = await startHttpProgram({
      command: tools.victoria,
      readyPath: '/health',
      prepare: (port, folder) => [
        `-httpListenAddr=127.0.0.1:${port}`,
        `-storageDataPath=${folder}/data`,
        '-memory.allowedBytes=64MB',
      ],
    });
    await using output = await runOutput(remoteWrite, { url: `${server.url}/api/v1/write` });
    await deliverAll(output);
    assert.equal(output.counters.delivered, polls);
    await fetch(`${server.url}/internal/force_flush`);
    const exported = await fetch(
      `${server.url}/api/v1/export?${new URLSearchParams({ 'match[]': '{__name__=~"snmp_.*"}' })}`,
    );
    const lines = (await exported.text()).trim().split('\n');
    assertAllThere(
      lines.map((line) => {
        const { metric, values, timestamps } = JSON.parse(line) as Exported;
        const samples = timestamps.map((ms, i): [number, number | null] => [ms / 1000, values[i]!]);
        return {
          metric,
          samples: samples.filter((sample): sample is [number, number] => sample[1] !== null),
        };
      }),
    );
  });
});

interface Answered {
  readonly metric: Readonly<Record<string, string>>;
  readonly values?: readonly (readonly [number, string])[];
}

interface Exported {
  readonly metric: Readonly<Record<string, string>>;
  /** Null for the end of a series. */
  readonly values: readonly (number | null)[];
  readonly timestamps: readonly number[];
}
