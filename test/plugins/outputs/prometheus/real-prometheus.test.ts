import assert from 'node:assert/strict';
import { spawn, spawnSync } from 'node:child_process';
import { once } from 'node:events';
import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { describe, it } from 'node:test';
import { setTimeout as sleep } from 'node:timers/promises';
import httpRoutes from '../../../../plugins/http-routes/index.ts';
import prometheus from '../../../../plugins/outputs/prometheus/index.ts';
import { pipelineToken } from '../../../../src/index.ts';
import { createTestBatch, startTestCollector } from '../../../../src/testing/index.ts';
import { findFreePort } from '../../../support/free-port.ts';
import { missingTool } from '../../../support/needs.ts';

const tools = { check: 'promtool', server: 'prometheus' };
const hostile = '"} 1\nevil{a="b\\\r\u0001\u0000é</script>';

const createBatch = (timeMs: number) =>
  createTestBatch({
    record: 'IF-MIB::ifEntry',
    device: { name: hostile, ip: '192.0.2.1', port: 161 },
    slotMs: timeMs,
    timeMs,
    intervalMs: 60_000,
    rows: ['1', '2'].map((index) => ({
      labels: { 'netif.index': index },
      values: {
        'netif.bytes.in': 2n ** 40n,
        'netif.speed': 1e9,
        'netif.alias': hostile,
        'netif.state': `s${index}`,
      },
    })),
  });

async function startServing(port: number) {
  const options = { port, state_sets: ['netif.state'], delivery: { group_wait_ms: 0 } };
  const collector = await startTestCollector({
    plugins: [{ plugin: httpRoutes }, { plugin: prometheus, options }],
  });
  const pipeline = collector.getService(pipelineToken);
  // A counter appears with its second poll.
  for (const agoMs of [120_000, 60_000]) pipeline.push(createBatch(Date.now() - agoMs));
  while (pipeline.counters.outputs['prometheus']!.queued > 0) await sleep(1);
  return { [Symbol.asyncDispose]: () => collector.stop() };
}

describe("Debian's Prometheus", () => {
  it('finds no fault in the text', { skip: missingTool(tools.check) }, async () => {
    const port = await findFreePort();
    await using _ = await startServing(port);
    const input = await (await fetch(`http://127.0.0.1:${port}/metrics`)).text();
    const { status, stdout, stderr } = spawnSync(tools.check, ['check', 'metrics'], {
      input,
      encoding: 'utf8',
    });
    assert.deepEqual({ status, stdout, stderr }, { status: 0, stdout: '', stderr: '' });
  });

  it('scrapes OpenMetrics and has every value and text', { skip: missingTool(tools.server) }, async () => {
    const folder = await mkdtemp(join(tmpdir(), 'waywiser-prometheus-'));
    const [port, ownPort] = [await findFreePort(), await findFreePort()];
    await using _ = await startServing(port);
    const job = `{ job_name: waywiser, static_configs: [{ targets: ['127.0.0.1:${port}'] }] }`;
    await writeFile(
      join(folder, 'prometheus.yml'),
      `global: { scrape_interval: 200ms }\nscrape_configs: [${job}]\n`,
    );
    const child = spawn(
      tools.server,
      [
        `--config.file=${join(folder, 'prometheus.yml')}`,
        `--storage.tsdb.path=${join(folder, 'data')}`,
        `--web.listen-address=127.0.0.1:${ownPort}`,
      ],
      { stdio: 'ignore' },
    );
    const exited = once(child, 'exit');
    try {
      const ask = async (query: string) => {
        const url = `http://127.0.0.1:${ownPort}/api/v1/query?query=${encodeURIComponent(query)}`;
        const response = await fetch(url);
        const text = await response.text();
        assert.equal(response.status, 200, `${query}: ${text}`);
        return (JSON.parse(text) as Answer).data.result;
      };
      await untilReady(ownPort, exited);
      let counters = await ask('snmp_netif_bytes_in_total');
      for (const deadline = Date.now() + 30_000; counters.length === 0 && Date.now() < deadline; ) {
        await sleep(100);
        counters = await ask('snmp_netif_bytes_in_total');
      }
      const intact = hostile.replace('\0', '\uFFFD');
      assert.deepEqual(
        counters.map(({ metric, value }) => [metric['device'], metric['netif_index'], value[1]]),
        [
          [intact, '1', '1099511627776'],
          [intact, '2', '1099511627776'],
        ],
      );
      const [info] = await ask('snmp_if_mib_if_entry_info{netif_index="1"}');
      assert.equal(info!.metric['netif_alias'], intact);
      const states = await ask('snmp_netif_state == 1');
      assert.deepEqual(states.map(({ metric }) => metric['snmp_netif_state']).sort(), ['s1', 's2']);
    } finally {
      child.kill('SIGKILL');
      await exited;
      await rm(folder, { recursive: true, force: true });
    }
  });
});

/** Prometheus refuses connections, then answers 503, until it has started. */
async function untilReady(port: number, exited: Promise<unknown>): Promise<void> {
  let hasExited = false;
  exited.then(() => {
    hasExited = true;
  });
  for (const deadline = Date.now() + 30_000; ; await sleep(100)) {
    const isReady = await fetch(`http://127.0.0.1:${port}/-/ready`).then(
      ({ ok }) => ok,
      () => false,
    );
    if (isReady) return;
    assert.ok(!hasExited, 'Prometheus has ended');
    assert.ok(Date.now() < deadline, 'Prometheus is not ready after 30 s');
  }
}

interface Answer {
  readonly data: {
    readonly result: readonly {
      readonly metric: Readonly<Record<string, string>>;
      readonly value: readonly [number, string];
    }[];
  };
}
