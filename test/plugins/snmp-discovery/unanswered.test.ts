import assert from 'node:assert/strict';
import { describe, it, type TestContext } from 'node:test';
import { type ReplayAgent, startReplayAgent } from '../../../src/testing/index.ts';
import { startPolling } from '../snmp-poller/support/poller-stack.ts';
import { DefinitionFolder } from '../support/definition-folder.ts';

const ifDescr = '1.3.6.1.2.1.2.2.1.2';
const ifHCInOctets = '1.3.6.1.2.1.31.1.1.1.6';
const [sysDescr, sysUpTime, sysName] = ['1.3.6.1.2.1.1.1.0', '1.3.6.1.2.1.1.3.0', '1.3.6.1.2.1.1.5.0'];

async function start(t: TestContext, silentUnder: readonly string[] = []) {
  const agent = await startReplayAgent({
    recording: 'test/recordings/switch.snmprec',
    knobs: { silentUnder },
  });
  t.after(() => agent.close());
  const folder = new DefinitionFolder(t);
  folder.write(
    'objects/more.yml',
    `SNMPv2-MIB::more:
  attributes:
    sysName: { oid: .1.3.6.1.2.1.1.5, name: system.name, syntax: DisplayString }
    sysLocation: { oid: .1.3.6.1.2.1.1.6, name: system.location, syntax: DisplayString }
`,
  );
  folder.write(
    'object_groups/groups.yml',
    'all: { objects: [SNMPv2-MIB::system, SNMPv2-MIB::more, IF-MIB::ifEntry, IF-MIB::ifXEntry] }\n',
  );
  folder.write('device_groups/groups.yml', 'switch: { object_groups: [all] }\n');
  folder.writeDevices([
    { name: 'sw', port: agent.port, groups: 'device_groups: [switch], poll_interval: 86400' },
  ]);
  const stack = await startPolling(t, folder);
  await stack.discovered();
  const inventory = () => stack.discovery.findInventory(stack.device('sw'))!;
  return {
    ...stack,
    agent,
    inventory,
    rowsOf: (id: string) => inventory().objects.get(id)!.instances.length,
    async discover() {
      const outcome = await stack.discovery.request(stack.device('sw'), 'requested').run.ended;
      return outcome.ok ? outcome.change.partial : outcome.message;
    },
  };
}

/** Requests that the agent left unanswered meanwhile. */
async function countSilence({ counters }: ReplayAgent, work: () => Promise<unknown>): Promise<number> {
  const before = counters.refused.silent;
  await work();
  return counters.refused.silent - before;
}

const rows = 25;

describe('a discovery of a device that does not answer for some of its objects', {
  concurrency: true,
}, () => {
  it('keeps all rows without a column that overrides others, says so, and does not ask for it again', async (t) => {
    const { agent, inventory, rowsOf, discover, poll } = await start(t, [ifHCInOctets]);
    assert.deepEqual([rowsOf('IF-MIB::ifEntry'), rowsOf('IF-MIB::ifXEntry')], [rows, rows]);
    const { overriding, partial } = inventory().objects.get('IF-MIB::ifXEntry')!;
    assert.deepEqual([overriding, partial], [{ ifHCInOctets: [] }, 'unanswered']);
    const silence = await countSilence(agent, async () => {
      const batches = await poll('sw');
      const octets = batches
        .flatMap(({ columns }) => columns)
        .find(({ field }) => field === 'netif.bytes.in');
      assert.ok(octets !== undefined && octets.gaps === undefined, 'the 32-bit counters are read instead');
      assert.deepEqual(await discover(), { 'IF-MIB::ifXEntry': 'unanswered' });
    });
    assert.equal(silence, 0);
  });

  it('finds the rows by another column when the discovery attribute is not answered', async (t) => {
    const { inventory, rowsOf } = await start(t, [ifDescr]);
    assert.deepEqual([rowsOf('IF-MIB::ifEntry'), rowsOf('IF-MIB::ifXEntry')], [rows, rows]);
    assert.equal(inventory().objects.get('IF-MIB::ifEntry')!.partial, 'unanswered');
    assert.equal(inventory().objects.get('IF-MIB::ifXEntry')!.partial, undefined);
  });

  it('loses one row when it does not answer for one instance', async (t) => {
    const { inventory, rowsOf } = await start(t, [`${ifDescr}.3`]);
    const { partial, instances } = inventory().objects.get('IF-MIB::ifEntry')!;
    assert.deepEqual([instances.length, partial], [rows - 1, 'unanswered']);
    assert.equal(rowsOf('IF-MIB::ifXEntry'), rows);
  });

  it('keeps the known rows of a table that is no longer answered', async (t) => {
    const { agent, rowsOf, discover } = await start(t);
    agent.set({ silentUnder: ['1.3.6.1.2.1.31.1.1'] });
    assert.deepEqual(await discover(), { 'IF-MIB::ifXEntry': 'unanswered' });
    assert.equal(rowsOf('IF-MIB::ifXEntry'), rows);
  });

  it('keeps all other scalars, whichever are not answered; polls do not wait for them', async (t) => {
    const check = async (silent: readonly string[]) => {
      const { agent, inventory, rowsOf, poll } = await start(t, silent);
      assert.equal(rowsOf('IF-MIB::ifEntry'), rows, silent.join());
      assert.deepEqual(inventory().objects.get('SNMPv2-MIB::more')!.instances, ['0'], silent.join());
      assert.equal(await countSilence(agent, () => poll('sw')), 0, silent.join());
    };
    await Promise.all([[sysUpTime], [sysDescr, sysName], [sysDescr, sysUpTime, sysName]].map(check));
  });

  it('teaches the session that polls the device already', async (t) => {
    const { agent, discover, poll } = await start(t);
    await poll('sw');
    agent.set({ silentUnder: [sysName, ifHCInOctets] });
    assert.deepEqual(await discover(), {
      'SNMPv2-MIB::more': 'unanswered',
      'IF-MIB::ifXEntry': 'unanswered',
    });
    assert.equal(await countSilence(agent, () => poll('sw')), 0);
  });
});

it('a silent device whose sysObjectID is never answered is found again', async (t) => {
  const { agent, poll, device, poller } = await start(t, ['1.3.6.1.2.1.1.2.0']);
  agent.set({ isSilent: true });
  await poll('sw');
  assert.equal(device('sw').status.state, 'suspect');
  agent.set({ isSilent: false });
  const isSuspect = () => device('sw').status.state === 'suspect';
  for (let probes = 0; probes < 2 && isSuspect(); probes++) {
    await poller
      .requestPoll(device('sw'))
      .then(
        ({ ended }) => ended,
        () => {},
      )
      .catch(() => {});
  }
  assert.equal(isSuspect(), false);
});
