import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { setTimeout as sleep } from 'node:timers/promises';
import events from '../../../plugins/events/index.ts';
import {
  type Batch,
  changeKinds,
  defineOutput,
  type EventMap,
  type EventName,
  PermanentError,
  pipelineToken,
  rowsOf,
} from '../../../src/index.ts';
import { LineRenderer } from '../../../src/output-kit/lines/line-renderer.ts';
import { checkPlugin, createRecordingOutput, startTestCollector } from '../../../src/testing/index.ts';
import { hostileStrings } from '../outputs/support/hostile-strings.ts';

const device = { name: 'router-1', ip: '192.0.2.1', port: 161 };
const run = { id: 'r1', device, cause: 'forced' } as const;
const poll = { device, plan: 'p@60', slotMs: 1, durationMs: 5, packets: 2, gaps: { timeout: 3, decode: 1 } };
const scan = {
  id: 's1',
  cause: 'initial',
  networks: ['office', 'lab'],
  addresses: 254,
  visited: 200,
  known: 3,
  answered: 7,
  found: 5,
  refused: 1,
  silent: 2,
  removed: 1,
} as const;
const unchanged = { added: [], changed: [], removed: [] };
const changes = Object.fromEntries(changeKinds.map((kind) => [kind, unchanged])) as never;

const examples: { readonly [Name in EventName]: EventMap[Name] } = {
  'definitions.changed': {
    generation: 3,
    previousGeneration: 2,
    changes: { ...(changes as object), objects: { added: ['A', 'B'], changed: [], removed: ['C'] } } as never,
    affectedDevices: [device],
    forceRediscovery: true,
    requestedBy: 'ann',
  },
  'definitions.rejected': {
    problems: [{ level: 'error', file: 'a.yml', line: 1, column: 2, rule: 'r', message: 'm' }],
    requestedBy: 'ann',
  },
  'trap.received': {
    device,
    trapId: '01KB0000000000000000000000',
    name: 'IF-MIB::linkDown',
    oid: '1.3.6.1.6.3.1.1.5.3',
    severity: 'error',
    category: 'link',
    message: 'Gi0/7 is down',
    source: '192.0.2.1',
    version: '2c',
    kind: 'trap',
    authenticated: false,
  },
  'trap.dropped': { source: '192.0.2.9', cause: 'community', count: 3, seconds: 1 },
  'device.added': { device, cause: 'api' },
  'device.changed': { device, cause: 'api' },
  'device.removed': { device, cause: 'api' },
  'device.state': { device, from: 'up', to: 'down', why: 'no answer' },
  'device.renumbered': {
    device,
    record: 'IF-MIB::ifEntry',
    moved: [
      { key: 'eth0', from: '1', to: '7' },
      { key: 'eth1', from: '2', to: '8' },
    ],
    count: 2,
  },
  'device.misordered': { device, table: '1.3.6.1.2.1.2.2.1' },
  'discovery.started': run,
  'discovery.progressed': { ...run, objects: 1, total: 2, instances: 3 },
  'discovery.completed': {
    ...run,
    durationMs: 12,
    inventory: { objects: 4, instances: 40, added: { 'IF-MIB::ifEntry': 2 }, removed: { 'X-MIB::x': 1 } },
  },
  'discovery.failed': { ...run, code: 'NO_ANSWER', message: 'm', durationMs: 9 },
  'scan.started': scan,
  'scan.progressed': scan,
  'scan.completed': { ...scan, durationMs: 4000 },
  'scan.failed': { ...scan, code: 'SCAN_STOPPED', message: 'm', durationMs: 9 },
  'poll.completed': { ...poll, values: 10 },
  'poll.failed': { ...poll, reason: 'timeout' },
  'output.stalled': { output: 'http', queuedBatches: 7, why: 'down' },
  'output.recovered': { output: 'http', queuedBatches: 7 },
  'output.dropped': { output: 'http', batches: 2, values: 0, why: 'full' },
  'collector.ready': {},
  'shard.gained': { shards: 512 },
  'shard.lost': { shards: 512, why: 'other members own them now' },
  'member.joined': { member: 'core-2' },
  'member.left': { member: 'core-2' },
  'worker.started': { worker: 'worker-2', restarts: 1 },
  'worker.ended': { worker: 'worker-2', why: 'it was ended by SIGKILL', failures: 1, restartMs: 250 },
  'cluster.degraded': { why: 'the lease has ended', keepsPolling: false },
  'cluster.recovered': {},
  'collector.stopping': { why: 'SIGTERM' },
};

async function startSending(options: Readonly<Record<string, unknown>> = {}) {
  const [ops, other] = [createRecordingOutput('ops'), createRecordingOutput('other')];
  const collector = await startTestCollector({
    plugins: [
      { plugin: ops.plugin },
      { plugin: other.plugin },
      { plugin: events, options: { outputs: ['ops'], ...options } },
    ],
  });
  return { ops, other, collector, [Symbol.asyncDispose]: () => collector.stop() };
}

const recordsOf = (batches: readonly Batch[]) =>
  batches.map(({ record }) => record.replace('waywiser::', ''));
const rowsIn = (batches: readonly Batch[], record: string) =>
  batches
    .filter((batch) => batch.record === `waywiser::${record}`)
    .flatMap((batch) => [...rowsOf(batch)].map(({ labels, values }) => ({ ...labels, ...values })));

describe('the events plugin', () => {
  it('keeps the contract', async () => {
    const pipeline = { push: () => {}, counters: { outputs: { ops: {} } } };
    await checkPlugin(events, { options: { outputs: ['ops'] }, needs: { pipeline } });
  });

  it('sends each event as records, only to the configured outputs', async () => {
    const all = [
      'definitions.*',
      'device.*',
      'discovery.*',
      'scan.*',
      'poll.*',
      'output.*',
      'trap.*',
      'shard.*',
      'member.*',
      'worker.*',
      'cluster.*',
      'collector.*',
    ];
    await using sending = await startSending({ events: all });
    const { ops, other, collector } = sending;
    for (const [name, event] of Object.entries(examples))
      collector.events.emit(name as EventName, event as never);
    await ops.waitFor((batches) => recordsOf(batches).includes('collectorStopping'));
    const documents = new LineRenderer({ nested: true, gaps: true })
      .render(ops.batches)
      .join('')
      .trim()
      .split('\n');
    assert.ok(documents.length > Object.keys(examples).length);
    for (const document of documents)
      assert.ok(Object.keys(JSON.parse(document).values).length > 0, document);
    for (const name of Object.keys(examples)) {
      const record = name.replace(/\.(\w)/, (_, letter: string) => letter.toUpperCase());
      assert.ok(recordsOf(ops.batches).includes(record), name);
    }
    assert.deepEqual(other.batches, []);
  });

  it('does not send the notice of a drop to the output that dropped', async () => {
    await using sending = await startSending({ outputs: ['ops', 'other'], events: ['output.*'] });
    const { ops, other, collector } = sending;
    collector.events.emit('output.dropped', { output: 'ops', batches: 2, values: 0, why: 'refused' });
    collector.events.emit('output.recovered', { output: 'ops', queuedBatches: 1 });
    for (const output of [ops, other])
      await output.waitFor((seen) => recordsOf(seen).includes('outputRecovered'));
    assert.deepEqual(recordsOf(ops.batches), ['outputRecovered']);
    assert.deepEqual(recordsOf(other.batches), ['outputDropped', 'outputRecovered']);
  });

  it('does not let two refusing outputs report their drops to each other without end', async () => {
    const refusing = (name: string) => {
      const write = () => {
        throw new PermanentError('no events here');
      };
      const options = { delivery: { group_wait_ms: 0 } };
      return { plugin: defineOutput({ name, summary: 'Refuses.', open: () => ({ write }) }), options };
    };
    const options = { outputs: ['a', 'b'], events: ['device.state', 'output.*'] };
    const collector = await startTestCollector({
      plugins: [refusing('a'), refusing('b'), { plugin: events, options }],
    });
    const reported: string[] = [];
    collector.events.on('output.dropped', ({ output }) => void reported.push(output));
    try {
      collector.events.emit('device.state', examples['device.state']);
      // Drops are reported after a second, so those of the notices would be after another one.
      await sleep(2_300);
      const { a, b } = collector.getService(pipelineToken).counters.outputs;
      assert.deepEqual([a!.droppedBy.refused, b!.droppedBy.refused], [2, 2]);
      assert.deepEqual(reported.sort(), ['a', 'b']);
    } finally {
      await collector.stop();
    }
  });

  it('sends states, renumbered rows and results of discoveries', async () => {
    await using sending = await startSending({ events: ['device.*', 'discovery.completed', 'poll.failed'] });
    const { ops, collector } = sending;
    for (const name of ['device.state', 'device.renumbered', 'discovery.completed', 'poll.failed'] as const) {
      collector.events.emit(name, examples[name] as never);
    }
    const batches = await ops.waitFor((seen) => recordsOf(seen).includes('pollFailed'));
    assert.deepEqual(rowsIn(batches, 'deviceState'), [
      { 'event.from': 'up', 'event.to': 'down', 'event.why': 'no answer' },
    ]);
    assert.deepEqual(rowsIn(batches, 'deviceRenumbered'), [
      { 'event.record': 'IF-MIB::ifEntry', 'event.row': 'eth0', 'event.from': '1', 'event.to': '7' },
      { 'event.record': 'IF-MIB::ifEntry', 'event.row': 'eth1', 'event.from': '2', 'event.to': '8' },
    ]);
    assert.deepEqual(rowsIn(batches, 'inventoryChange'), [
      { 'event.object': 'IF-MIB::ifEntry', 'event.id': 'r1', 'event.added': 2, 'event.removed': 0 },
      { 'event.object': 'X-MIB::x', 'event.id': 'r1', 'event.added': 0, 'event.removed': 1 },
    ]);
    assert.equal(rowsIn(batches, 'pollFailed')[0]!['event.missing'], 4);
    assert.deepEqual(batches[0]!.device, device);
  });

  it('gives every row a unique key, and uses the collector as the device of other events', async () => {
    await using sending = await startSending({ events: ['device.state', 'definitions.*'] });
    const { ops, collector } = sending;
    for (let i = 0; i < 3; i++) collector.events.emit('device.state', examples['device.state']);
    collector.events.emit('definitions.changed', examples['definitions.changed']);
    const batches = await ops.waitFor((seen) => recordsOf(seen).includes('definitionChange'));
    const keys = batches.flatMap(({ record, slotMs, rows }) =>
      rows.keys.map((key) => `${record} ${slotMs} ${key}`),
    );
    assert.equal(new Set(keys).size, keys.length);
    const { device: own, generation } = batches.at(-1)!;
    assert.deepEqual([own, generation], [{ name: 'test', ip: 'localhost', port: 0 }, 3]);
    assert.deepEqual(
      rowsIn(batches, 'definitionChange').map((row) => row['event.id']),
      ['A', 'B', 'C'],
    );
  });

  it('sends the start and the stop of the collector, before the outputs close', async () => {
    const { ops, collector } = await startSending({ events: ['collector.*'] });
    await collector.stop();
    assert.deepEqual(recordsOf(ops.batches), ['collectorReady', 'collectorStopping']);
  });

  it('does not change texts of devices', async () => {
    await using sending = await startSending();
    for (const name of Object.values(hostileStrings)) {
      sending.collector.events.emit('device.state', {
        ...examples['device.state'],
        device: { ...device, name },
        why: name,
      });
    }
    const wanted = Object.values(hostileStrings);
    const batches = await sending.ops.waitFor((seen) => rowsIn(seen, 'deviceState').length === wanted.length);
    assert.deepEqual(
      rowsIn(batches, 'deviceState').map((row) => row['event.why']),
      wanted,
    );
  });

  it('does not start with an unknown output or event', async () => {
    await assert.rejects(startSending({ outputs: ['opps'] }), (error: Error) => {
      assert.match(String(error.cause), /"opps", which is not an output.* ops, other/);
      return true;
    });
    await assert.rejects(startSending({ events: ['device.stat'] }), /must be one of/);
  });
});
