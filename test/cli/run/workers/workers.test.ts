import assert from 'node:assert/strict';
import { kill } from 'node:process';
import { describe, it } from 'node:test';
import { setTimeout as sleep } from 'node:timers/promises';
import { ApiClient } from '../../../../src/client/index.ts';
import { EventParser, type ParsedEvent } from '../../../../src/client/internal.ts';
import { onlyLong } from '../../../support/long-run.ts';
import { everyMs, isAlive, startWorkers, waitFor } from '../../support/started-workers.ts';

/** Events of the stream until `devices` devices were in them. */
async function readEvents(url: string, devices: number): Promise<ParsedEvent[]> {
  const abort = new AbortController();
  const { body } = await fetch(url, { signal: abort.signal });
  const parser = new EventParser();
  const events: ParsedEvent[] = [];
  for await (const text of body!.pipeThrough(new TextDecoderStream())) {
    events.push(...parser.push(text));
    if (new Set(events.map(({ data }) => JSON.parse(data).device.name)).size === devices) break;
  }
  abort.abort();
  return events;
}

/** One HELP and one TYPE for each family, and no series twice. */
function assertOneText(text: string): void {
  const lines = text.trimEnd().split('\n');
  for (const kind of ['HELP', 'TYPE']) {
    const names = lines.filter((line) => line.startsWith(`# ${kind} `)).map((line) => line.split(' ')[2]);
    assert.deepEqual(names, [...new Set(names)]);
  }
  const series = lines.filter((line) => !line.startsWith('#')).map((line) => line.replace(/ [^ ]+$/, ''));
  assert.equal(new Set(series).size, series.length);
}

/** What the parent says of itself is what a single process with all devices would say. */
async function assertOneCollector(url: string, ports: readonly number[]): Promise<void> {
  const api = new ApiClient({ baseUrl: url });
  const { body: state } = await api.call('getCollector');
  assert.deepEqual(state.devicesByState, { unknown: 0, up: 12, suspect: 0, down: 0, recovering: 0 });
  assert.ok(state.pipeline.outputs['ndjson']!.accepted > 12);
  await waitFor(async () => (await api.call('getHistoryState')).body.values > 12);
  const device = ports.map((_, i) => `d${i}`);
  const query = { device, record: 'SNMPv2-MIB::system', field: 'system.uptime' };
  await waitFor(async () => (await api.call('getHistory', { query })).body.series.length === 12);
  const table = new URLSearchParams([...device.map((name) => ['device', name]), ['format', 'csv']] as [
    string,
    string,
  ][]);
  for (const name of ['record', 'field'] as const) table.set(name, query[name]);
  const csv = await (await fetch(`${url}/api/v1/history?${table}`)).text();
  const lines = csv.trimEnd().split('\r\n').slice(1);
  assert.deepEqual(new Set(lines.map((line) => line.split(',')[1])), new Set(device), csv);
  for (const port of ports) {
    const { body: answer } = await api.call('rediscoverDevice', {
      body: { ip: '127.0.0.1', port },
      query: { wait: false },
    });
    const { body } = await api.call('getDiscovery', { path: { id: answer.discovery.id } });
    assert.equal(body.device.port, port);
  }
}

describe('waywiser start with workers', () => {
  it('shares the devices between processes, also after one of them was killed', async (t) => {
    const { devices, collector, read, cluster, owns, url, pids } = await startWorkers(t, 12, 2);
    const { members } = await cluster();
    assert.deepEqual(
      members.map(({ name, shards }) => [name, shards > 0]),
      [
        ['parent', false],
        ['worker-1', true],
        ['worker-2', true],
      ],
    );
    assert.equal(
      members.reduce((sum, each) => sum + each.devices, 0),
      12,
    );
    assert.equal(new Set(devices.since(0).map(({ from }) => from)).size, 2, 'two processes ask');
    for (const port of devices.ports)
      assert.match(await read(`/api/v1/snmp/devices/127.0.0.1/${port}`), /"state":"up"/);
    const scrape = () => read('/api/v1/snmp/metrics');
    await waitFor(async () => (await scrape()).split('\nsnmp_up{').length - 1 === 12);
    assertOneText(await scrape());

    await assertOneCollector(url, devices.ports);

    const polls = await readEvents(`${url}/api/v1/events?name=poll.completed`, 12);
    assert.deepEqual([...new Set(polls.map(({ member }) => member))].sort(), ['worker-1', 'worker-2']);

    assert.deepEqual(devices.findDoubled(everyMs), []);
    const first = pids();
    assert.match(await read('/readyz'), /"degraded":\[\]/);
    const killedMs = performance.now();
    kill(first.get('worker-1')!, 'SIGKILL');
    const ended = '"degraded":["The worker worker-1 has ended and is started again';
    await waitFor(async () => (await read('/readyz')).includes(ended));
    await waitFor(async () => (await owns())['worker-2'] === 1024);
    await waitFor(() => [...devices.asked.values()].every((asked) => asked.at(-1)!.atMs > killedMs));
    await waitFor(async () => Number((await owns())['worker-1']) > 300);
    assert.notEqual(pids().get('worker-1'), first.get('worker-1'));
    const metrics = await read('/metrics');
    assert.match(metrics, /waywiser_worker_restarts_total\{worker="worker-1"\} 1/);
    for (const worker of ['worker-1', 'worker-2'])
      assert.match(metrics, new RegExp(`waywiser_cluster_owned_shards{worker="${worker}"} [1-9]`));
    const backMs = performance.now();
    await waitFor(() => [...devices.asked.values()].every((asked) => asked.at(-1)!.atMs > backMs));
    // Meanwhile the heir has discovered the devices of the killed worker, at any time.
    assert.deepEqual(devices.findDoubled(everyMs, backMs), []);
    assert.deepEqual(devices.findShared(everyMs), []);

    collector.kill('SIGTERM');
    assert.equal(await collector.exit, 0, collector.stderr);
    assert.deepEqual([...pids().values()].filter(isAlive), []);
    for (const line of collector.stdout.trim().split('\n')) JSON.parse(line);
  });

  it('asks every device again when workers are killed, and none by turns', { skip: onlyLong }, async (t) => {
    const { devices, owns, pids } = await startWorkers(t, 40, 3);
    for (const worker of ['worker-1', 'worker-2', 'worker-3', 'worker-1']) {
      const killedMs = performance.now();
      kill(pids().get(worker)!, 'SIGKILL');
      await waitFor(async () => (await owns())[worker] === undefined);
      await waitFor(async () => Number((await owns())[worker]) > 200);
      await sleep(3 * everyMs);
      t.diagnostic(`longest gap ${Math.round(devices.longestGapMs(killedMs - everyMs))} ms`);
    }
    // An heir discovers a device at any time after the last poll of the killed worker.
    assert.deepEqual(devices.findShared(everyMs), []);
  });

  it('replaces a worker that hangs', { skip: onlyLong }, async (t) => {
    const { devices, collector, owns, pids } = await startWorkers(t, 20, 2);
    const hanging = pids().get('worker-2')!;
    kill(hanging, 'SIGSTOP');
    await collector.reads('A worker does not respond.');
    await waitFor(() => !isAlive(hanging));
    await waitFor(async () => Number((await owns())['worker-2']) > 300);
    const backMs = performance.now();
    await waitFor(() => [...devices.asked.values()].every((asked) => asked.at(-1)!.atMs > backMs));
    assert.deepEqual(devices.findDoubled(everyMs), []);
  });

  it('ends its workers when the parent is killed', { skip: onlyLong }, async (t) => {
    const { devices, collector, pids } = await startWorkers(t, 8, 2);
    collector.kill('SIGKILL');
    await waitFor(() => ![...pids().values()].some(isAlive));
    assert.doesNotMatch(collector.stderr, /^ +at /m);
    const endedMs = performance.now();
    await sleep(2 * everyMs);
    assert.deepEqual(devices.since(endedMs), []);
  });
});
