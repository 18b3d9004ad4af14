import assert from 'node:assert/strict';
import { execFileSync } from 'node:child_process';
import { describe, it } from 'node:test';
import { setTimeout as sleep } from 'node:timers/promises';
import { shardCount } from '../../../src/sharding/index.ts';
import { missingTool } from '../../support/needs.ts';
import { noEtcd } from './support/etcd-server.ts';
import { FaultyFleet } from './support/faulty-fleet.ts';
import { accountFor } from './support/slot-account.ts';

const everyMs = 1_000;

describe('a member without free file descriptors', { skip: noEtcd || missingTool('prlimit') }, () => {
  it('owns nothing once it has lost etcd, asks no device that another one asks, and recovers', async (t) => {
    const fleet = await FaultyFleet.start(t, ['a', 'b'], { devices: 30, everyMs, hasOwnClocks: false });
    await fleet.isWhole();
    const begunMs = performance.now();
    const [place] = fleet.places;
    const { member } = place!.run!;
    const other = fleet.places[1]!.run!.member;
    const allow = (count: number) =>
      execFileSync('prlimit', ['--pid', String(member.child.pid), `--nofile=${count}:`]);
    // As `EMFILE` for each new file, socket and connection. Those that are open stay open.
    allow(3);
    await sleep(2 * everyMs);
    assert.ok(member.owned > 300, 'with its connections it works on');
    place!.link.connect();
    await fleet.waitFor(() => other.owned === shardCount, 'the other one takes over');
    const takenMs = performance.now();
    await sleep(3 * everyMs);
    assert.equal(member.owned, 0);
    assert.ok(new Set(fleet.devices.since(takenMs + everyMs).map(({ from }) => from)).size === 1);
    assert.equal(member.child.exitCode, null);
    allow(1_024);
    await fleet.waitFor(() => member.owned > 300 && other.owned > 300, 'both own shards again');
    await fleet.isWhole();
    await sleep(2 * everyMs);
    assert.deepEqual(accountFor(fleet, begunMs, performance.now() - everyMs).doubled, []);
    assert.deepEqual(fleet.findOverlaps(), []);
  });
});
