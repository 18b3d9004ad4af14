import assert from 'node:assert/strict';
import { describe, it, type TestContext } from 'node:test';
import { setTimeout as sleep } from 'node:timers/promises';
import { shardCount } from '../../../src/sharding/index.ts';
import { onlyLong } from '../../support/long-run.ts';
import { missingTool } from '../../support/needs.ts';
import { noEtcd } from './support/etcd-server.ts';
import { FaultyFleet } from './support/faulty-fleet.ts';
import { accountFor } from './support/slot-account.ts';

const everyMs = 1_000;
const count = 60;
const leaseSeconds = 6;

async function startFleet(t: TestContext, names: readonly string[], onOutage = 'stop'): Promise<FaultyFleet> {
  const fleet = await FaultyFleet.start(t, names, { devices: count, everyMs, leaseSeconds, onOutage });
  await fleet.isWhole();
  return fleet;
}

/** Nobody asked a device twice since `begunMs`, and no device waited for more than `slots` slots. */
async function assertSafe(t: TestContext, fleet: FaultyFleet, begunMs: number, slots = Infinity) {
  await sleep(2 * everyMs);
  const { doubled, longestRow } = accountFor(fleet, begunMs, performance.now() - everyMs);
  const longestMs = Math.round(fleet.devices.longestGapMs(begunMs));
  t.diagnostic(`longest gap ${longestMs} ms, at most ${longestRow} slots missed in a row`);
  assert.deepEqual(doubled, []);
  assert.deepEqual(fleet.devices.findDoubled(everyMs, begunMs), []);
  assert.deepEqual(fleet.findOverlaps(), []);
  assert.ok(longestRow <= slots, `${longestRow} slots in a row were missed`);
}

describe('a fleet with faults', { skip: noEtcd || onlyLong || missingTool('faketime') }, () => {
  it('takes over the devices of a killed member within its lease and two seconds, and asks none twice', async (t) => {
    const fleet = await startFleet(t, ['a', 'b', 'c']);
    const begunMs = performance.now();
    await fleet.end(fleet.places[0]!, 'SIGKILL');
    await fleet.isWhole();
    await assertSafe(t, fleet, begunMs, leaseSeconds + 3);
  });

  it('hands everything over when a member ends', async (t) => {
    const fleet = await startFleet(t, ['a', 'b']);
    const begunMs = performance.now();
    await fleet.end(fleet.places[0]!, 'SIGTERM');
    await fleet.isWhole();
    await assertSafe(t, fleet, begunMs, 1);
  });

  it('gets not one packet from a member that was suspended for half a minute', async (t) => {
    const fleet = await startFleet(t, ['a', 'b']);
    const begunMs = performance.now();
    const [first, second] = fleet.places.map(({ run }) => run!.member);
    first!.child.kill('SIGSTOP');
    await fleet.waitFor(() => second!.owned === shardCount, 'the other takes over');
    await sleep(30_000 - (performance.now() - begunMs));
    first!.child.kill('SIGCONT');
    await fleet.waitFor(() => first!.owned > 300 && first!.owned < shardCount, 'both own shards again');
    await fleet.isWhole();
    await assertSafe(t, fleet, begunMs, leaseSeconds + 3);
  });

  for (const onOutage of ['stop', 'keep']) {
    it(`obeys on_outage: ${onOutage} while etcd is down for a minute, and needs no restart`, async (t) => {
      const fleet = await startFleet(t, ['a', 'b'], onOutage);
      const begunMs = performance.now();
      await fleet.etcd.stop();
      await sleep(60_000);
      const asked = fleet.devices.since(performance.now() - 50_000);
      if (onOutage === 'stop') assert.deepEqual(asked, []);
      else assert.ok(asked.length > 45 * count, `${asked.length} requests in 50 seconds`);
      await fleet.etcd.begin();
      await fleet.isWhole();
      await assertSafe(t, fleet, begunMs);
    });
  }

  it('leaves all devices to the members that reach etcd, when only two of four do', async (t) => {
    const fleet = await startFleet(t, ['a', 'b', 'c', 'd']);
    const begunMs = performance.now();
    const cut = fleet.places.slice(0, 2);
    for (const { link } of cut) link.cut();
    const others = fleet.places.slice(2).map(({ run }) => run!.member);
    await fleet.waitFor(
      () => others.reduce((sum, { owned }) => sum + owned, 0) === shardCount,
      'two members own everything',
    );
    await sleep(10 * everyMs);
    assert.deepEqual(
      cut.map(({ run }) => run!.member.owned),
      [0, 0],
    );
    for (const { link } of cut) link.connect();
    await fleet.waitFor(() => cut.every(({ run }) => run!.member.owned > 100), 'all own shards again');
    await fleet.isWhole();
    await assertSafe(t, fleet, begunMs, leaseSeconds + 3);
  });

  it('notices nothing when the clock of a member is set an hour forward and back', async (t) => {
    const fleet = await startFleet(t, ['a', 'b']);
    const [place] = fleet.places;
    const { member } = place!.run!;
    const owned = member.owned;
    const begunMs = performance.now();
    for (const aheadS of [3_600, -3_600, 0]) {
      fleet.setClock(place!, aheadS);
      const isSet = () => Math.abs(member.wallMs - Date.now() - 1_000 * aheadS) < 60_000;
      await fleet.waitFor(isSet, `the clock is ${aheadS} s ahead`);
      await sleep(5 * everyMs);
      assert.equal(member.owned, owned);
    }
    await assertSafe(t, fleet, begunMs, 1);
  });
});
