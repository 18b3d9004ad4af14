import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { setTimeout as sleep } from 'node:timers/promises';
import { isLong } from '../../support/long-run.ts';
import { missingTool } from '../../support/needs.ts';
import { noEtcd } from './support/etcd-server.ts';
import { FaultyFleet } from './support/faulty-fleet.ts';
import { accountFor } from './support/slot-account.ts';

const everyMs = isLong ? 5_000 : 2_000;

describe('a fleet under load', { skip: noEtcd || missingTool('faketime') }, () => {
  it('grows from one member to four and shrinks to two: no slot twice, at most one missed in a row', async (t) => {
    const fleet = await FaultyFleet.start(t, ['a'], { devices: isLong ? 2_000 : 40, everyMs });
    await fleet.isWhole();
    const begunMs = performance.now();
    for (const name of ['b', 'c', 'd']) await fleet.add(name);
    await fleet.waitFor(
      () => fleet.alive.every(({ run }) => run!.member.owned > 100),
      'four members own shards',
    );
    await fleet.isWhole();
    const [a, , c] = fleet.places;
    await Promise.all([fleet.end(a!, 'SIGTERM'), fleet.end(c!, 'SIGTERM')]);
    await fleet.isWhole();
    await sleep(2 * everyMs);
    const { slots, polled, doubled, longestRow } = accountFor(fleet, begunMs, performance.now() - everyMs);
    t.diagnostic(`${polled} of ${slots} slots polled`);
    assert.deepEqual(doubled, []);
    assert.deepEqual(fleet.findOverlaps(), []);
    assert.ok(longestRow <= 1, `${longestRow} slots in a row were missed`);
  });
});
