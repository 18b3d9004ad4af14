import assert from 'node:assert/strict';
import { env } from 'node:process';
import { describe, it } from 'node:test';
import { setTimeout as sleep } from 'node:timers/promises';
import { seededRandom } from '../../../src/testing/index.ts';
import { isLong } from '../../support/long-run.ts';
import { missingTool } from '../../support/needs.ts';
import { noEtcd } from './support/etcd-server.ts';
import { FaultyFleet, type FleetPlace } from './support/faulty-fleet.ts';
import { accountFor } from './support/slot-account.ts';

const names = ['a', 'b', 'c', 'd'];
const everyMs = isLong ? 2_000 : 1_000;
/** A hundred faults in a random order, or a few that always come together. `WAYWISER_SEED` repeats a random order. */
const count = isLong ? 100 : 3;
const seed = Number(env['WAYWISER_SEED'] ?? (isLong ? Math.floor(Math.random() * 1e9) : 18));

/** Something that goes wrong at one place, and resolves when it is over. */
type Fault = (fleet: FaultyFleet, place: FleetPlace, random: () => number) => Promise<void>;

/** Up to twice the lease; in the short run always longer than the lease. */
const pause = (random: () => number) => sleep((isLong ? 500 : 4_500) + random() * (isLong ? 5_500 : 500));

const faults: Readonly<Record<string, Fault>> = {
  async 'loses etcd'(_, { link }, random) {
    link.cut();
    await pause(random);
    link.connect();
  },
  async 'is suspended'(_, { run }, random) {
    run!.member.child.kill('SIGSTOP');
    await pause(random);
    run!.member.child.kill('SIGCONT');
  },
  async 'is killed'(fleet, place, random) {
    await fleet.end(place, 'SIGKILL');
    await pause(random);
    fleet.begin(place);
  },
  async 'is stopped'(fleet, place, random) {
    await fleet.end(place, 'SIGTERM');
    await pause(random);
    fleet.begin(place);
  },
  async 'sets its clock'(fleet, place, random) {
    fleet.setClock(place, random() < 0.5 ? 3_600 : -3_600);
    await pause(random);
    fleet.setClock(place, 0);
  },
  async 'sees etcd end'({ etcd }, _, random) {
    await etcd.stop();
    await pause(random);
    await etcd.begin();
  },
};

describe('a fleet with random faults', { skip: noEtcd || missingTool('faketime') }, () => {
  it('polls no device twice, and knows why each missed slot was missed', async (t) => {
    t.diagnostic(`seed ${seed}`);
    const random = seededRandom(seed);
    const fleet = await FaultyFleet.start(t, names, { devices: isLong ? 200 : 30, everyMs });
    await fleet.isWhole();
    const begunMs = performance.now();
    await sleep(everyMs);
    const countedBefore = fleet.missed();
    const busy = new Map<unknown, Promise<void>>();
    for (let turn = 0; turn < count; turn++) {
      const [name, fault] =
        Object.entries(faults)[isLong ? Math.floor(random() * Object.keys(faults).length) : turn]!;
      const place = fleet.places[isLong ? Math.floor(random() * fleet.places.length) : turn % names.length]!;
      const what = name === 'sees etcd end' ? fleet.etcd : place;
      await busy.get(what);
      busy.set(what, fault(fleet, place, random));
      if (isLong) await sleep(random() * 2_500);
    }
    await Promise.all(busy.values());
    await fleet.isWhole();
    const endedMs = performance.now();
    const counted = fleet.missed() - countedBefore;
    await sleep(2 * everyMs);
    const account = accountFor(fleet, begunMs, endedMs);
    const { slots, polled, unowned, takenOver, missed, doubled, longestRow } = account;
    const owed = [...missed.values()].reduce((sum, each) => sum + each, 0);
    t.diagnostic(
      `${slots} slots: ${polled} polled, ${unowned} without an owner, ${takenOver} just taken over, ${owed} missed; members counted ${counted}; at most ${longestRow} missed in a row`,
    );
    assert.deepEqual(doubled, []);
    assert.deepEqual(fleet.findOverlaps(), []);
    for (const [run, each] of missed)
      assert.ok(
        each <= run.member.missed,
        `${run.member.name}: ${each} missed, ${run.member.missed} counted, with seed ${seed}`,
      );
    assert.ok(counted <= slots - polled, `${counted} counted, ${slots - polled} slots without a poll`);
  });
});
