import assert from 'node:assert/strict';
import { describe, it, type TestContext } from 'node:test';
import { earlyMsOf, earlyWithinMs } from '../../../plugins/snmp-poller/slot-schedule.ts';
import { deviceKey } from '../../../src/index.ts';
import { loadRecording, startReplayAgent } from '../../../src/testing/index.ts';
import { temporaryFolder } from '../../support/temporary-folder.ts';
import { until } from '../../support/until.ts';
import { DefinitionFolder } from '../support/definition-folder.ts';
import { startPolling } from './support/poller-stack.ts';

const hourMs = 3_600_000;
const hourly = 'every-3600s';
/** Early polls come within a second of a plan, which a busy machine compiles late. */
const patience = { timeoutMs: 120_000 };

/** Answers at a port whose early slots come within a second. */
async function startEarlyAgent(test: TestContext) {
  const recording = await loadRecording('test/recordings/switch.snmprec');
  for (;;) {
    const agent = await startReplayAgent({ recording });
    if (earlyMsOf(deviceKey({ ip: agent.address, port: agent.port }), hourMs) < 1_000) {
      agent.set({ hasMovingUptime: true });
      test.after(() => agent.close());
      return agent;
    }
    await agent.close();
  }
}

/** One device whose interfaces have the type `slow`, of an hour. */
function writeDevice(
  folder: DefinitionFolder,
  { address, port }: { address: string; port: number },
  group: string,
) {
  folder.write('defaults/object_types.yml', 'slow: { poll_interval: 3600 }\n');
  folder.write(
    'devices/all.yml',
    `sw: { ip: ${address}, port: ${port}, version: 2c, communities: [public], timeout: 100, retries: 0, poll_interval: 1, poll_intervals: { slow: 3600 }, device_groups: [${group}] }\n`,
  );
}

const slowTable = `IF-MIB::ifEntry:
  type: slow
  index: [{ type: Integer, oid: .1.3.6.1.2.1.2.2.1.1, name: netif, syntax: InterfaceIndex }]
  discovery_attribute: ifDescr
  attributes:
    ifDescr: { oid: .1.3.6.1.2.1.2.2.1.2, name: netif.description, syntax: DisplayString, tag: true }
    ifInOctets: { oid: .1.3.6.1.2.1.2.2.1.10, name: netif.bytes.in, syntax: BytesB, metric: counter }
`;

describe('a plan of an hour', () => {
  it('is polled soon after the first discovery and after each start, and keeps its slots', async (t) => {
    const agent = await startEarlyAgent(t);
    const folder = new DefinitionFolder(t, { 'objects/interfaces.yml': slowTable });
    folder.write('object_groups/groups.yml', 'all: { objects: [SNMPv2-MIB::system, IF-MIB::ifEntry] }\n');
    folder.write('device_groups/groups.yml', 'all: { object_groups: [all] }\n');
    writeDevice(folder, agent, 'all');
    const stateDirectory = temporaryFolder(t);
    const dueMs: number[] = [];
    for (let start = 0; start < 2; start++) {
      const stack = await startPolling(t, folder, { stateDirectory });
      await stack.output.waitFor((batches) => batches.some(({ plan }) => plan === hourly), patience);
      const upcoming = stack.poller.upcoming(stack.device('sw'));
      dueMs.push(Date.now() + upcoming.find(({ plan }) => plan === hourly)!.inMs);
      assert.equal(stack.poller.counters().skippedSlots, 0);
      await stack.collector.stop();
    }
    // The wall clock of the first start is read to the millisecond, and the two starts round it on their own.
    assert.ok(Math.abs(dueMs[1]! - dueMs[0]!) < 100, `${dueMs}`);
    assert.ok(dueMs[0]! - Date.now() > earlyWithinMs, 'its regular slot');
  });

  it('is polled soon after a discovery finds something new for it', async (t) => {
    const agent = await startEarlyAgent(t);
    const folder = new DefinitionFolder(t, { 'objects/interfaces.yml': slowTable });
    folder.write('object_groups/groups.yml', 'some: { objects: [SNMPv2-MIB::system] }\n');
    folder.write('device_groups/groups.yml', 'some: { object_groups: [some] }\n');
    writeDevice(folder, agent, 'some');
    const { output, definitions, discovery, poller, device, discovered, next } = await startPolling(
      t,
      folder,
    );
    await discovered();
    const apply = async (objects: string) => {
      folder.write('object_groups/groups.yml', `some: { objects: [SNMPv2-MIB::system, ${objects}] }\n`);
      const completed = next('discovery.completed');
      await definitions.apply({ forceRediscovery: true, requestedBy: 'the test' });
      await completed;
    };
    await apply('IF-MIB::ifEntry');
    await output.waitFor((batches) => batches.some(({ plan }) => plan === hourly), patience);

    folder.write(
      'objects/bridge.yml',
      `BRIDGE-MIB::dot1dBase:
  type: slow
  attributes:
    dot1dBaseNumPorts: { oid: .1.3.6.1.2.1.17.1.2, name: bridge.ports, syntax: Integer32 }
`,
    );
    await apply('IF-MIB::ifEntry, BRIDGE-MIB::dot1dBase');
    await output.waitFor(
      (batches) => batches.some(({ record }) => record === 'BRIDGE-MIB::dot1dBase'),
      patience,
    );

    // A discovery that finds the same again adds no poll.
    const { polls } = poller.counters();
    await discovery.request(device('sw'), 'requested').run.ended;
    const [upcoming] = poller.upcoming(device('sw')).filter(({ plan }) => plan === hourly);
    assert.ok(upcoming!.inMs > earlyWithinMs, `in ${upcoming!.inMs} ms, after ${polls} polls`);
  });

  it('is polled soon after a device that was silent at the start answers', async (t) => {
    const agent = await startEarlyAgent(t);
    const folder = new DefinitionFolder(t, { 'objects/interfaces.yml': slowTable });
    folder.write('object_groups/groups.yml', 'all: { objects: [SNMPv2-MIB::system, IF-MIB::ifEntry] }\n');
    folder.write('device_groups/groups.yml', 'all: { object_groups: [all] }\n');
    writeDevice(folder, agent, 'all');
    const stateDirectory = temporaryFolder(t);
    const first = await startPolling(t, folder, { stateDirectory });
    await first.discovered();
    await first.collector.stop();

    agent.set({ isSilent: true });
    const second = await startPolling(t, folder, { stateDirectory });
    const upcomingMs = () =>
      second.poller.upcoming(second.device('sw')).find(({ plan }) => plan === hourly)?.inMs ?? 0;
    // Its early slot has passed, and the device counts as silent.
    await until(() => upcomingMs() > earlyWithinMs && second.device('sw').status.state !== 'unknown');
    agent.set({ isSilent: false });
    await second.output.waitFor((batches) => batches.some(({ plan }) => plan === hourly), patience);
  });
});
