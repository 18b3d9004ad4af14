import assert from 'node:assert/strict';
import { describe, it, type TestContext } from 'node:test';
import { type Batch, gapAt, valueAt } from '../../../src/index.ts';
import type { ReplayKnobs } from '../../../src/testing/index.ts';
import { startTimedSwitch } from './support/timed-switch.ts';

const hcInOctets = '1.3.6.1.2.1.31.1.1.1.6';
const inOctets = '1.3.6.1.2.1.2.2.1.10';
const names = '1.3.6.1.2.1.31.1.1.1.1';

const withDiscontinuity = {
  'objects/more.yml': `IF-MIB::ifXMore:
  mib: IF-MIB
  object: ifXMore
  augments: IF-MIB::ifEntry
  discovery_attribute: ifCounterDiscontinuityTime
  attributes:
    ifCounterDiscontinuityTime: { oid: .1.3.6.1.2.1.31.1.1.1.19, name: netif.discontinuity, syntax: TicksCentiSec }
`,
  'object_groups/more.yml': 'more: { objects: [IF-MIB::ifXMore] }\n',
  'device_groups/more.yml': 'switch-more: { object_groups: [interfaces, more] }\n',
};

async function startSwitch(t: TestContext, group = 'switch', files = {}) {
  const device = `device_groups: [${group}]`;
  const started = await startTimedSwitch(t, { device, files, poller: { counters: { delta: true } } });
  return {
    ...started,
    /** Polls after this number of seconds by the device's clock, and returns a function to look up values. */
    async pollAfter(seconds: number, values: ReplayKnobs['values'] = []) {
      const batches = await started.pollAfter(seconds, { values });
      const batch = batches.find(({ record }) => record === 'IF-MIB::ifEntry');
      return (name: string, field: string) => look(batch!, `netif.name=${name}`, field);
    },
  };
}

/** The value of a row, or the reason why it is missing. */
function look(batch: Batch, key: string, field: string) {
  const row = batch.rows.keys.indexOf(key);
  const column = batch.columns.find((each) => each.field === field);
  assert.ok(row >= 0 && column !== undefined, `${key} ${field}`);
  return valueAt(column, row) ?? gapAt(column, row);
}

const still = (under: string, value: bigint | number | string) => ({ under, at: () => value });

describe('rates', () => {
  it('are per second of the device’s own clock, next to the increase and the raw value', async (t) => {
    const { pollAfter } = await startSwitch(t);
    const first = await pollAfter(1, [still(hcInOctets, 1_000_000n)]);
    assert.equal(first('ge-0/3', 'netif.bytes.in_rate'), 'unseeded');
    const second = await pollAfter(5, [still(hcInOctets, 1_005_000n)]);
    assert.equal(second('ge-0/3', 'netif.bytes.in'), 1_005_000);
    assert.equal(second('ge-0/3', 'netif.bytes.in_delta'), 5_000);
    assert.equal(second('ge-0/3', 'netif.bytes.in_rate'), 1_000);
    // 1070 / 1.07 is 999.9999999999999.
    const third = await pollAfter(1.07, [still(hcInOctets, 1_006_070n)]);
    assert.equal(third('ge-0/3', 'netif.bytes.in_rate'), 1_000);
  });

  it('continue when a 64-bit counter wraps', async (t) => {
    const { pollAfter } = await startSwitch(t);
    await pollAfter(1, [still(hcInOctets, 2n ** 64n - 1000n)]);
    const second = await pollAfter(2, [still(hcInOctets, 1000n)]);
    assert.equal(second('ge-0/3', 'netif.bytes.in_delta'), 2000);
  });

  it('continue when a 32-bit counter wraps and there is no 64-bit counter', async (t) => {
    const definitions = {
      'object_groups/groups.yml':
        'system: { objects: [SNMPv2-MIB::system] }\ninterfaces: { objects: [IF-MIB::ifEntry] }\n',
    };
    const { poll, agent } = await startSwitch(t, 'switch', definitions);
    agent.set({ hasMovingUptime: false, values: [still(inOctets, 2 ** 32 - 10)] });
    await poll('sw');
    agent.set({ values: [still(inOctets, 20)] });
    const batch = (await poll('sw')).find(({ record }) => record === 'IF-MIB::ifEntry')!;
    assert.equal(look(batch, '3', 'netif.bytes.in_delta'), 30);
  });

  it('are missing once, with the reason reset, after a counter reset without a reboot', async (t) => {
    const { pollAfter } = await startSwitch(t);
    await pollAfter(1, [still(hcInOctets, 9_000_000n)]);
    const second = await pollAfter(1, [still(hcInOctets, 100n)]);
    assert.equal(second('ge-0/3', 'netif.bytes.in_rate'), 'reset');
    assert.equal(second('ge-0/3', 'netif.bytes.in'), 100);
    const third = await pollAfter(1, [still(hcInOctets, 300n)]);
    assert.equal(third('ge-0/3', 'netif.bytes.in_rate'), 200);
  });

  it('are missing once after a reboot, even when the counter is higher than before', async (t) => {
    const { pollAfter, agent, next, discovered } = await startSwitch(t);
    await pollAfter(1, [still(hcInOctets, 100n)]);
    const rediscovery = next('discovery.completed');
    agent.reboot();
    const second = await pollAfter(1, [still(hcInOctets, 500n)]);
    assert.equal(second('ge-0/3', 'netif.bytes.in_rate'), 'reset');
    assert.equal((await rediscovery).cause, 'reset');
    await discovered();
    const third = await pollAfter(1, [still(hcInOctets, 600n)]);
    assert.equal(third('ge-0/3', 'netif.bytes.in_rate'), 100);
  });

  it('are missing once in a row whose discontinuity time changed, and in no other row', async (t) => {
    const { pollAfter } = await startSwitch(t, 'switch-more', withDiscontinuity);
    const times = '1.3.6.1.2.1.31.1.1.1.19';
    await pollAfter(1, [still(hcInOctets, 100n), still(times, 0)]);
    const second = await pollAfter(1, [still(hcInOctets, 300n), still(times, 0), still(`${times}.3`, 77)]);
    assert.equal(second('ge-0/3', 'netif.bytes.in_rate'), 'reset');
    assert.equal(second('ge-0/4', 'netif.bytes.in_rate'), 200);
  });

  it('never mix two interfaces that changed places', async (t) => {
    const { pollAfter } = await startSwitch(t);
    const counters = (three: bigint, four: bigint) => [
      still(`${hcInOctets}.3`, three),
      still(`${hcInOctets}.4`, four),
    ];
    await pollAfter(1, counters(1_000n, 900_000n));
    const second = await pollAfter(1, [
      ...counters(900_010n, 1_020n),
      still(`${names}.3`, 'ge-0/4'),
      still(`${names}.4`, 'ge-0/3'),
    ]);
    assert.equal(second('ge-0/3', 'netif.bytes.in_delta'), 20);
    assert.equal(second('ge-0/4', 'netif.bytes.in_delta'), 10);
  });

  it('continue after an apply with the same objects, with other objects, and with another inventory', async (t) => {
    const { pollAfter, folder, definitions, discovery, device } = await startSwitch(t);
    let count = 1000n;
    const poll = () => {
      count += 50n;
      return pollAfter(1, [still(hcInOctets, count)]);
    };
    await poll();
    await definitions.apply({ requestedBy: 'test' });
    assert.equal((await poll())('ge-0/3', 'netif.bytes.in_rate'), 50);
    folder.write(
      'objects/system.yml',
      `SNMPv2-MIB::system:
  mib: SNMPv2-MIB
  object: system
  attributes:
    sysName: { oid: .1.3.6.1.2.1.1.5, name: system.name, syntax: DisplayString }
`,
    );
    const { accepted } = await definitions.apply({ requestedBy: 'test' });
    assert.ok(accepted);
    assert.equal((await poll())('ge-0/3', 'netif.bytes.in_rate'), 50);
    await discovery.request(device('sw'), 'requested').run.ended;
    assert.equal((await poll())('ge-0/3', 'netif.bytes.in_rate'), 50);
  });

  it('cover the time of a lost poll', async (t) => {
    const { pollAfter, agent, poll } = await startSwitch(t);
    await pollAfter(1, [still(hcInOctets, 1000n)]);
    agent.set({ isSilent: true });
    assert.deepEqual(await poll('sw'), []);
    agent.set({ isSilent: false });
    const third = await pollAfter(4, [still(hcInOctets, 1400n)]);
    assert.equal(third('ge-0/3', 'netif.bytes.in_delta'), 400);
    assert.equal(third('ge-0/3', 'netif.bytes.in_rate'), 100);
  });
});
