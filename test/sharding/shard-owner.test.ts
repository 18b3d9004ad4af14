import assert from 'node:assert/strict';
import { describe, it, type TestContext } from 'node:test';
import { MemoryStore } from '../../src/sharding/memory-coordinator.ts';
import { shardCount } from '../../src/sharding/shard.ts';
import { seededRandom } from '../../src/testing/index.ts';
import { SimulatedFleet } from './simulated-fleet.ts';

function startFleet(t: TestContext, ...names: readonly string[]): SimulatedFleet {
  const fleet = new SimulatedFleet(seededRandom(1));
  for (const name of names) fleet.add(name);
  t.after(() => fleet.close());
  return fleet;
}

describe('shard owner', () => {
  it('owns every shard when it is alone', async (t) => {
    const fleet = startFleet(t, 'a');
    await fleet.pass(5_000);
    assert.equal(fleet.ownedBy('a'), shardCount);
  });

  it('shares the shards with a member that joins, and never owns one together with it', async (t) => {
    const fleet = startFleet(t, 'a');
    await fleet.pass(5_000);
    fleet.add('b');
    await fleet.pass(10_000);
    assert.ok(fleet.ownedBy('b') > 400, `b has ${fleet.ownedBy('b')}`);
    assert.equal(fleet.ownedBy('a') + fleet.ownedBy('b'), shardCount);
    assert.deepEqual(fleet.doubled, []);
  });

  it('gives a shard back that it claimed without knowing, when the reply was lost and a member joined', async (t) => {
    const fleet = startFleet(t, 'a', 'b');
    await fleet.pass(10_000);
    const [a, b] = fleet.members;
    a!.link.lostReplies = 30;
    void b!.owner.leave().then(() => b!.owner.close());
    await fleet.pass(600);
    fleet.add('c');
    a!.link.lostReplies = 0;
    await fleet.pass(30_000);
    assert.equal(fleet.ownedBy('a') + fleet.ownedBy('c'), shardCount);
    assert.deepEqual(fleet.doubled, []);
  });

  it('gives a member with twice the weight twice the shards', async (t) => {
    const fleet = startFleet(t, 'a');
    fleet.add('b', { weight: 2 });
    await fleet.pass(10_000);
    assert.ok(fleet.ownedBy('b') > 1.7 * fleet.ownedBy('a'));
  });

  it('gives everything away before it leaves', async (t) => {
    const fleet = startFleet(t, 'a', 'b');
    await fleet.pass(10_000);
    const left = fleet.members[0]!.owner.leave();
    await fleet.pass(6_000);
    await left;
    assert.equal(fleet.ownedBy('b'), shardCount);
    assert.deepEqual(fleet.doubled, []);
  });

  it('knows whether a state is of the owner just before, or older', async (t) => {
    const fleet = startFleet(t, 'a', 'b');
    await fleet.pass(10_000);
    const [a, b] = fleet.members;
    const left = a!.owner.leave().then(() => a!.owner.close());
    await fleet.pass(6_000);
    await left;
    assert.equal(fleet.ownedBy('b'), shardCount);
    assert.ok(b!.restored.size > 400 && [...b!.restored.values()].every(Boolean));
    fleet.kill(b!);
    const c = fleet.add('c');
    await fleet.pass(15_000);
    assert.equal(fleet.ownedBy('c'), shardCount);
    // Those that b had from a. It has saved a few of them since, for an heir.
    const old = [...b!.restored.keys()].filter((shard) => c.restored.has(shard));
    const direct = old.filter((shard) => c.restored.get(shard));
    assert.ok(old.length > 300 && direct.length < old.length / 4, `${direct.length} of ${old.length}`);
  });

  it('takes over the shards of a killed member when its lease has ended', async (t) => {
    const fleet = startFleet(t, 'a', 'b');
    await fleet.pass(10_000);
    fleet.kill(fleet.members[0]!);
    await fleet.pass(6_000);
    assert.ok(fleet.ownedBy('b') < shardCount);
    await fleet.pass(6_000);
    assert.equal(fleet.ownedBy('b'), shardCount);
  });

  it('asks nobody after a pause that outlived its lease', async (t) => {
    const fleet = startFleet(t, 'a', 'b');
    await fleet.pass(10_000);
    const { owner, clock } = fleet.members[0]!;
    clock.isSuspended = true;
    await fleet.pass(30_000);
    clock.isSuspended = false;
    // Before any of its timers ran.
    assert.equal(owner.maySend(), false);
    assert.equal(owner.ownedShards.length, 0);
    clock.resume();
    await fleet.pass(20_000);
    assert.equal(fleet.ownedBy('a') + fleet.ownedBy('b'), shardCount);
    assert.deepEqual(fleet.doubled, []);
  });

  it('stops before its lease ends while the store cannot be reached, and goes on afterwards', async (t) => {
    const fleet = startFleet(t, 'a');
    await fleet.pass(5_000);
    const { owner, link, lost } = fleet.members[0]!;
    link.isDown = true;
    await fleet.pass(10_000);
    assert.equal(owner.ownedShards.length, 0);
    assert.deepEqual(lost, ['the lease was not renewed in time']);
    assert.match(owner.status().degraded ?? '', /store|lease/);
    link.isDown = false;
    await fleet.pass(5_000);
    assert.equal(fleet.ownedBy('a'), shardCount);
    assert.equal(owner.status().degraded, undefined);
  });

  it('knows whether nobody else had its shards when it gets them again, and until when that is certain', async (t) => {
    const fleet = startFleet(t, 'a');
    await fleet.pass(5_000);
    const { owner, clock, told } = fleet.members[0]!;
    const trustedMs = 9_000;
    const pause = async (ms: number) => {
      const untilMs = clock.now() - owner.status().leaseAgeMs! + trustedMs;
      told.length = 0;
      clock.isSuspended = true;
      await fleet.pass(ms);
      clock.resume();
      await fleet.pass(3_000);
      return untilMs;
    };
    // Longer than it trusts its lease, and shorter than the lease.
    while (owner.status().leaseAgeMs! > 200) await fleet.pass(100);
    const trustedUntilMs = await pause(9_500);
    assert.deepEqual(told, [trustedUntilMs, true]);
    // Another member would have had them.
    const untilMs = await pause(30_000);
    assert.deepEqual(told.slice(0, 1), [untilMs]);
    assert.ok(told.length > 1 && told.slice(1).every((each) => each === false), String(told));
  });

  it('keeps its shards during an outage when it was told to, and says that it is degraded', async (t) => {
    const fleet = new SimulatedFleet(seededRandom(1));
    t.after(() => fleet.close());
    const { owner, link, lost } = fleet.add('a', { keepsOnOutage: true });
    await fleet.pass(5_000);
    link.isDown = true;
    for (let second = 0; second < 60; second++) {
      await fleet.pass(1_000);
      assert.equal(fleet.ownedBy('a'), shardCount);
    }
    assert.notEqual(owner.status().degraded, undefined);
    const epoch = owner.epochOf(7)!;
    link.isDown = false;
    await fleet.pass(5_000);
    assert.equal(fleet.ownedBy('a'), shardCount);
    assert.deepEqual(lost, []);
    assert.ok(owner.epochOf(7)! > epoch, 'the claim is a new one');
    assert.equal(owner.status().degraded, undefined);
  });

  it('asks nobody after a pause even when it may keep its shards during an outage', async (t) => {
    const fleet = new SimulatedFleet(seededRandom(1));
    t.after(() => fleet.close());
    const { owner, clock } = fleet.add('a', { keepsOnOutage: true });
    await fleet.pass(5_000);
    clock.isSuspended = true;
    await fleet.pass(30_000);
    clock.isSuspended = false;
    assert.equal(owner.maySend(), false);
    clock.resume();
  });

  it('notices a step of the wall clock in nothing', async (t) => {
    const fleet = startFleet(t, 'a', 'b');
    await fleet.pass(10_000);
    const before = fleet.owners();
    for (const step of [3_600_000, -7_200_000]) {
      fleet.clock.step(step);
      await fleet.pass(2_000);
      assert.deepEqual(fleet.owners(), before);
    }
  });

  it('claims a shard again whose reply was lost', async (t) => {
    const fleet = startFleet(t);
    const { link } = fleet.add('a');
    link.lostReplies = 3;
    // The fourth request succeeds, and then claims lose their replies.
    for (let turn = 0; fleet.store.snapshot().claims.size === 0 && turn < 100; turn++) await fleet.pass(100);
    link.lostReplies = 300;
    await fleet.pass(1_500);
    link.lostReplies = 0;
    await fleet.pass(20_000);
    assert.equal(fleet.ownedBy('a'), shardCount);
  });

  it('waits while another process lives under its name', async (t) => {
    const fleet = startFleet(t, 'a');
    await fleet.pass(5_000);
    const second = fleet.add('a');
    await fleet.pass(5_000);
    assert.equal(second.owner.ownedShards.length, 0);
    assert.match(second.owner.status().degraded ?? '', /name a/);
    fleet.kill(fleet.members[0]!);
    await fleet.pass(20_000);
    assert.equal(second.owner.ownedShards.length, shardCount);
    assert.deepEqual(fleet.doubled, []);
  });

  it('owns nothing while it is led to another store, and owns everything again when that was a mistake', async (t) => {
    const fleet = startFleet(t, 'a');
    await fleet.pass(5_000);
    const { owner, link } = fleet.members[0]!;
    const other = new MemoryStore(fleet.clock, 'other');
    t.after(() => other.close());
    // Its revisions are higher.
    for (let i = 0; i < 5 * shardCount; i++) await other.connect().share('key', String(i));
    link.use(other);
    await fleet.pass(20_000);
    assert.equal(owner.ownedShards.length, 0);
    assert.match(owner.status().degraded ?? '', /other data/);
    link.use(fleet.store);
    await fleet.pass(20_000);
    assert.equal(owner.ownedShards.length, shardCount);
  });

  it('moves no more shards per second than allowed', async (t) => {
    const fleet = startFleet(t, 'a');
    await fleet.pass(5_000);
    fleet.add('b');
    await fleet.pass(300);
    const before = fleet.ownedBy('b');
    await fleet.pass(500);
    assert.ok(fleet.ownedBy('b') - before <= 350, `${fleet.ownedBy('b') - before} moved`);
  });
});
