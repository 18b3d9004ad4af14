import assert from 'node:assert/strict';
import { it } from 'node:test';
import loader from '../../../plugins/definitions-loader/index.ts';
import httpApi from '../../../plugins/http-api/index.ts';
import { httpApiToken } from '../../../plugins/http-api/service.ts';
import snmpApi from '../../../plugins/snmp-api/index.ts';
import { type Batch, valueAt } from '../../../src/index.ts';
import { startReplayAgent } from '../../../src/testing/index.ts';
import { isLong } from '../../support/long-run.ts';
import { DefinitionFolder, smallDefinitions } from '../support/definition-folder.ts';
import { startPolling } from './support/poller-stack.ts';

const changes = '1.3.6.1.2.1.17.2.4';
/** Devices that the changes affect, and the same number of other devices. */
const pairs = isLong ? 25 : 2;
const applies = 100;
/** A slot counts as missed when it is late by half of this, at most a second. A busy machine delays a process by less. */
const everySeconds = 2;
/** Every such apply rediscovers the devices that it affects. */
const everyForced = 20;

const files = {
  'objects/bridge.yml': `BRIDGE-MIB::dot1dStp:
  mib: BRIDGE-MIB
  object: dot1dStp
  attributes:
    dot1dStpTopChanges: { oid: .${changes}, name: bridge.changes, syntax: Counter32, metric: counter }
`,
  'object_groups/bridge.yml': 'bridge: { objects: [BRIDGE-MIB::dot1dStp] }\n',
  'device_groups/bridge.yml':
    'numbered: { object_groups: [bridge] }\ntouched: { object_groups: [interfaces, bridge] }\n',
};

/** An agent that numbers the polls: its value is the number of requests so far. */
async function startNumberingAgent() {
  let polls = 0;
  return startReplayAgent({
    recording: 'test/recordings/switch.snmprec',
    knobs: { hasMovingUptime: true, values: [{ under: changes, at: () => ++polls }] },
  });
}

it('a hundred applies skip no slot, cancel no poll, mix no generations and leave the rates of other devices complete', async (t) => {
  const agents = await Promise.all(Array.from({ length: 2 * pairs }, startNumberingAgent));
  t.after(() => Promise.all(agents.map((agent) => agent.close())));
  const folder = new DefinitionFolder(t, files);
  const names = agents.map((_, i) => `${i % 2 === 0 ? 'touched' : 'numbered'}-${i}`);
  folder.writeDevices(
    agents.map(({ port }, i) => ({
      name: names[i]!,
      port,
      groups: `device_groups: [${i % 2 === 0 ? 'touched' : 'numbered'}], poll_interval: ${everySeconds}`,
    })),
  );
  const { collector, discovered, discovery, output, poller, next } = await startPolling(t, folder, {
    loader,
    more: [{ plugin: snmpApi }, { plugin: httpApi, options: { port: 0, limits: { loop_delay_ms: 60_000 } } }],
  });
  await discovered();
  await next('poll.completed');
  const { baseUrl } = collector.getService(httpApiToken);
  const [first, second] = ['netif.bytes.in', 'netif.octets.in'] as const;
  const fields = new Map<number, string>([[1, first]]);
  for (let i = 1; i <= applies; i++) {
    const field = i % 2 === 0 ? first : second;
    const text = smallDefinitions['objects/interfaces.yml']!.replaceAll('netif.bytes.in', field);
    folder.write('objects/interfaces.yml', text);
    const query = i % everyForced === 0 ? '?force_rediscovery=true' : '';
    const url = `${baseUrl}/api/v1/snmp/apply-definitions${query}`;
    const response = await fetch(url, { method: 'POST' });
    assert.equal(response.status, 200);
    const { generation } = (await response.json()) as { readonly generation: number };
    fields.set(generation, field);
    if (i % 45 === 0) await next('poll.completed');
  }
  assert.equal(fields.size, applies + 1);
  const countOf = (name: string) =>
    output.batches.filter(({ device, record }) => device.name === name && record.startsWith('BRIDGE')).length;
  await output.waitFor(() => names.every((name) => countOf(name) >= 3), { timeoutMs: 30_000 });

  await discovered();
  const { failedPolls, overruns, skippedSlots, gaps } = poller.counters();
  assert.deepEqual([failedPolls, overruns, skippedSlots, gaps], [0, 0, 0, {}]);
  const forced = discovery.runs.filter(({ cause }) => cause === 'forced');
  assert.ok(forced.length >= pairs && forced.every(({ outcome }) => outcome?.ok === true));
  assert.ok(forced.every(({ device }) => device.name.startsWith('touched')));
  const byDevice = new Map<string, Batch[]>();
  for (const batch of output.batches) {
    byDevice.set(batch.device.name, [...(byDevice.get(batch.device.name) ?? []), batch]);
  }
  assert.equal(byDevice.size, 2 * pairs);
  for (const [name, batches] of byDevice) checkDevice(name, batches, fields);
});

function checkDevice(name: string, batches: readonly Batch[], fields: ReadonlyMap<number, string>): void {
  const numbered = batches.filter(({ record }) => record === 'BRIDGE-MIB::dot1dStp');
  assert.ok(numbered.length >= 3, `${name} was polled ${numbered.length} times`);
  for (const [i, batch] of numbered.entries()) {
    const before = numbered[i - 1];
    if (before === undefined) continue;
    assert.equal(batch.slotMs - before.slotMs, everySeconds * 1000, `${name}: one poll per slot`);
    const step = Number(numberOf(batch)) - Number(numberOf(before));
    // A discovery requests the value too.
    const isCounted = name.startsWith('touched') ? step >= 1 : step === 1;
    assert.ok(isCounted, `${name}: one record per reply, not ${step}`);
    const rate = batch.columns.find(({ field }) => field === 'bridge.changes_rate')!;
    assert.notEqual(valueAt(rate, 0), undefined, `${name}: a rate after every apply`);
  }
  for (const batch of batches.filter(({ record }) => record === 'IF-MIB::ifEntry')) {
    assert.equal(batch.columns[0]?.field, fields.get(batch.generation));
    const beside = numbered.find(({ slotMs }) => slotMs === batch.slotMs);
    assert.equal(beside?.generation, batch.generation, `${name}: one poll, one generation`);
  }
}

function numberOf({ columns }: Batch) {
  return valueAt(columns.find(({ field }) => field === 'bridge.changes')!, 0);
}
