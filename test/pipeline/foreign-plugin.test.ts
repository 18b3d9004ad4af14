import assert from 'node:assert/strict';
import { mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, it } from 'node:test';
import definitionsLoader from '../../plugins/definitions-loader/index.ts';
import { definitionsToken } from '../../plugins/definitions-loader/service.ts';
import { deviceRegistryToken } from '../../plugins/device-registry/service.ts';
import snmpClient from '../../plugins/snmp-client/index.ts';
import { snmpClientToken } from '../../plugins/snmp-client/service.ts';
import { discoveryToken } from '../../plugins/snmp-discovery/service.ts';
import { pollerToken } from '../../plugins/snmp-poller/service.ts';
import {
  createCollector,
  defineOutput,
  definePlugin,
  defineProcessor,
  pipelineToken,
} from '../../src/index.ts';
import type { EventMap, EventName } from '../../src/model/event-map.ts';
import { LentBatches } from '../../src/pipeline/lent-batches.ts';
import { createTestBatch, startReplayAgent } from '../../src/testing/index.ts';
import { startPolling } from '../plugins/snmp-poller/support/poller-stack.ts';
import { DefinitionFolder } from '../plugins/support/definition-folder.ts';
import { temporaryFolder } from '../support/temporary-folder.ts';
import { until } from '../support/until.ts';

/** Writes into everything that can be reached from `value`, and returns how often a write was refused. */
function vandalise(value: unknown, seen = new Set<unknown>()): number {
  if (typeof value !== 'object' || value === null || seen.has(value)) return 0;
  seen.add(value);
  let refused = 0;
  const attempt = (write: () => void) => {
    try {
      write();
    } catch {
      refused++;
    }
  };
  if (ArrayBuffer.isView(value)) new Uint8Array(value.buffer).fill(7);
  if (Array.isArray(value)) attempt(() => value.push('forged'));
  if (value instanceof Map) {
    for (const [key, item] of value) {
      refused += vandalise(item, seen);
      attempt(() => value.set(key, 'forged'));
    }
    attempt(() => value.clear());
  }
  const target = value as Record<string, unknown>;
  // The getters of an instance are in its class.
  const isCollection = Array.isArray(value) || value instanceof Map || ArrayBuffer.isView(value);
  for (const at of isCollection ? [value] : [value, Object.getPrototypeOf(value)]) {
    if (ArrayBuffer.isView(at) || at === Object.prototype || at === null) continue;
    for (const key of Object.getOwnPropertyNames(at)) {
      if (key === 'constructor' || typeof target[key] === 'function') continue;
      attempt(() => {
        refused += vandalise(target[key], seen);
      });
      attempt(() => {
        target[key] = typeof target[key] === 'number' ? -1 : 'forged';
      });
    }
  }
  return refused;
}

const events: readonly EventName[] = [
  'definitions.changed',
  'device.added',
  'device.changed',
  'device.state',
  'discovery.started',
  'discovery.completed',
  'poll.completed',
  'poll.failed',
  'collector.ready',
];

describe('what services answer to a plugin that is not built in', () => {
  it('cannot be changed: counters, learned limits, generations and problems', async (t) => {
    await using agent = await startReplayAgent({ recording: 'test/recordings/switch.snmprec' });
    const folder = new DefinitionFolder(t);
    folder.writeDevices([{ name: 'a', port: agent.port, groups: 'device_groups: [switch]' }]);
    const { collector, definitions, discovered, poll } = await startPolling(t, folder);
    await discovered();
    await poll('a');
    const foreign = { name: 'foreign', isBuiltIn: false };
    const own = collector.getService(snmpClientToken);
    const client = snmpClient.viewFor!(own, foreign) as typeof own;
    const learned = client.findLearned({ address: '127.0.0.1', port: agent.port })!;
    const { sent } = own.counters();
    const set = definitionsLoader.viewFor!(definitions, foreign) as typeof definitions;
    folder.write('objects/system.yml', 'broken');
    await definitions.apply({ requestedBy: 'test' });
    const writes: readonly (() => void)[] = [
      () => Object.assign(client.counters(), { sent: -1 }),
      () => Object.assign(client.counters().sendErrors, { forged: 1 }),
      () => Object.assign(learned, { maxOids: 1 }),
      () => (learned.tables as unknown[]).push('forged'),
      () => (client.engineFindings() as unknown[]).push('forged'),
      () => (set.recent as unknown[]).push('forged'),
      () => Object.assign(set.recent[0]!, { requestedBy: 'forged' }),
    ];
    for (const write of writes) assert.throws(write, TypeError, String(write));
    assert.equal(own.counters().sent, sent);
    assert.doesNotMatch(JSON.stringify([definitions.recent, own.engineFindings()]), /forged/);
  });
});

describe('columns that a plugin makes itself', () => {
  it('keep what they say about their field, as a copy that the plugin cannot change', () => {
    const lent = new LentBatches();
    const names = new Map([[1, 'up']]);
    const computed = { derived: 'rate' as const, wrapsAt: 2 ** 64, marksReset: true };
    const about = { description: 'Whether it works.', names, isTime: true, ...computed };
    const batch = createTestBatch({ rows: [{ values: { state: 1 } }] });
    const send = () =>
      lent.receive({ ...batch, columns: batch.columns.map((column) => ({ ...column, about })) }).columns[0]!
        .about;
    const first = send();
    assert.deepEqual(first, about);
    about.description = 'forged';
    names.set(1, 'forged');
    assert.equal(send(), first, 'the same object with every batch');
    assert.deepEqual([first?.description, first?.names?.get(1)], ['Whether it works.', 'up']);
  });

  it('are refused when what they say about their field is malformed', () => {
    const batch = createTestBatch({ rows: [{ values: { state: 1 } }] });
    for (const about of [7, null, { description: 7 }, { names: { 1: 'up' } }, { names: new Map([[1, 7]]) }]) {
      const columns = batch.columns.map((column) => ({ ...column, about }));
      assert.throws(() => new LentBatches().receive({ ...batch, columns }), JSON.stringify(about));
    }
  });
});

describe('a plugin that is not built in and writes into everything that it is given', () => {
  it('changes nothing for other plugins: polling goes on, and outputs receive what was polled', async (t) => {
    await using agent = await startReplayAgent({ recording: 'test/recordings/host.snmprec' });
    const folder = temporaryFolder(t);
    const file = join(folder, 'rows.ndjson');
    mkdirSync(join(folder, 'own/devices'), { recursive: true });
    const device = {
      ip: '127.0.0.1',
      port: agent.port,
      version: '2c',
      communities: ['public'],
      device_groups: ['host'],
    };
    writeFileSync(join(folder, 'own/devices/one.yml'), JSON.stringify({ one: device }));
    const lines: Record<string, unknown>[] = [];
    const refused = { events: 0, batches: 0, services: 0, options: 0 };
    let pollNow: () => Promise<unknown> = async () => {};
    let polls = 0;
    let processed = 0;
    let written = 0;

    const vandal = definePlugin({
      name: 'vandal',
      kind: 'api',
      summary: 'Writes into services, events and options.',
      needs: {
        pipeline: pipelineToken,
        registry: deviceRegistryToken,
        discovery: discoveryToken,
        poller: pollerToken,
        definitions: definitionsToken,
      },
      start({ needs, events: bus, options, collector }) {
        refused.options += vandalise(options) + vandalise(collector);
        const { registry, poller, discovery, definitions, pipeline } = needs;
        for (const name of events) {
          bus.on(name, (payload: EventMap[EventName]) => {
            refused.events += vandalise(payload);
          });
        }
        pollNow = async () => {
          const found = registry.findDeviceNamed('one')!;
          for (const service of Object.values(needs)) {
            for (const key of ['findDevice', 'push', 'latest', 'findInventory', 'apply', 'counters']) {
              assert.throws(() => Object.assign(service, { [key]: () => 'forged' }), TypeError);
            }
          }
          refused.services += vandalise(found) + vandalise([...registry.devices()]);
          refused.services += vandalise(discovery.findInventory(found)) + vandalise(discovery.runs);
          refused.services += vandalise(definitions.current.findObject('IF-MIB::ifEntry'));
          refused.services += vandalise(definitions.current.facts) + vandalise(pipeline.counters);
          refused.batches += vandalise(poller.latest(found));
          refused.batches += vandalise(await poller.pollNow(found));
        };
      },
    });
    const collector = await createCollector(
      {
        state_directory: join(folder, 'state'),
        plugins: {
          'definitions-loader': { directories: ['definitions', join(folder, 'own')] },
          'snmp-poller': {},
          ndjson: { file, delivery: { group_wait_ms: 0 } },
          'vandal-processor': defineProcessor({
            name: 'vandal-processor',
            summary: 'Writes into batches and passes them on.',
            open: () => (batch) => {
              processed++;
              refused.batches += vandalise(batch);
              return processed % 2 === 0 ? batch : { ...batch };
            },
          }),
          'vandal-output': [
            defineOutput({
              name: 'vandal-output',
              summary: 'Writes into batches.',
              open: () => ({
                write(group) {
                  written++;
                  refused.batches += vandalise(group);
                },
              }),
            }),
            { delivery: { group_wait_ms: 0 } },
          ],
          vandal,
        },
      },
      { env: {}, log: { write: (line) => lines.push(JSON.parse(line)) } },
    );
    collector.events.on('poll.completed', ({ values }) => {
      if (values > 0) polls++;
    });
    await collector.start();
    try {
      const registry = collector.getService(deviceRegistryToken);
      const isReady = () =>
        collector.getService(discoveryToken).findInventory(registry.findDeviceNamed('one')!);
      await until(() => isReady() !== undefined);
      for (const target of [1, 2, 3]) {
        await pollNow();
        await until(() => polls >= target);
      }
      await until(() => written > 0);
      assert.equal(registry.findDeviceNamed('one')?.ref.ip, '127.0.0.1');
      assert.equal(registry.findDeviceNamed('one')?.status.state, 'up');
    } finally {
      assert.deepEqual(await collector.stop(), []);
    }
    const text = readFileSync(file, 'utf8');
    assert.doesNotMatch(text, /forged/);
    const rows = text.split('\n').filter((line) => line.includes('HOST-RESOURCES-MIB::hrDeviceEntry'));
    assert.ok(rows.length > 0);
    for (const line of rows) assert.equal(JSON.parse(line).values['hostdev.status.id'], 2, line);
    for (const [part, times] of Object.entries(refused))
      assert.ok(part === 'options' || times > 10, `${part}: ${times}`);
    assert.ok(processed > 3);
  });
});
