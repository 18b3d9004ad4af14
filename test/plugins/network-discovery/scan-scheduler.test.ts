import assert from 'node:assert/strict';
import { describe, it, type TestContext } from 'node:test';
import { setImmediate } from 'node:timers/promises';
import { ScanMemory } from '../../../plugins/network-discovery/scan-memory.ts';
import { createSchedule } from '../../../plugins/network-discovery/scan-schedule.ts';
import { ScanScheduler } from '../../../plugins/network-discovery/scan-scheduler.ts';
import type { EventMap } from '../../../src/index.ts';
import { type ShardPart, shardOfTask } from '../../../src/sharding/index.ts';
import { SnmpError } from '../../../src/snmp/index.ts';
import { startTestCollector } from '../../../src/testing/index.ts';

const hourMs = 3_600_000;
const shardsOf = (...networks: readonly string[]) =>
  new Set(networks.map((name) => shardOfTask(`scan ${name}`)));

/** A member that owns some of the networks `a`, `b` and `c`. Nothing answers. */
async function startMember(t: TestContext, ...owned: readonly string[]) {
  const collector = await startTestCollector({ plugins: [] });
  t.after(() => collector.stop());
  const networks = new Map(['a', 'b', 'c'].map((name, i) => [name, { networks: [`127.9.${i}.0/29`] }]));
  const time = { nowMs: 100 * hourMs };
  const own = shardsOf(...owned);
  /** The addresses that were asked, and what waits for an answer. */
  const asked: string[] = [];
  const held: (() => void)[] = [];
  const state = { isHeld: false };
  let part: ShardPart | undefined;
  const scheduler = new ScanScheduler({
    definitions: { current: { sections: { networks } } },
    registry: {
      devices: () => [],
      findDevice: () => undefined,
      findFound: () => undefined,
      getNetworkTargets: () => [{ version: '2c', community: 'public' }],
    },
    discovery: { findInventory: () => undefined },
    client: {
      prepareUsers: async () => {},
      async open({ address }: { readonly address: string }) {
        asked.push(address);
        if (state.isHeld) await new Promise<void>((resolve) => void held.push(resolve));
        throw new SnmpError('SNMP_TIMEOUT', {});
      },
    },
    shards: {
      owns: (shard: number) => own.has(shard),
      join: (joined: ShardPart) => {
        part = joined;
        return () => {};
      },
    },
    memory: new ScanMemory({ set() {}, delete() {}, compactIfWasteful() {} } as never, new Map()),
    pace: { take: async () => {}, charge() {} },
    events: collector.events,
    log: { info() {}, warn() {}, debug() {} },
    limits: { exclude: [], ipv6Prefix: 112, maxAddresses: 1_000 },
    schedule: createSchedule(24, undefined),
    retries: 0,
    maxInFlight: 1,
    removeAfterScans: 0,
    now: () => time.nowMs,
  } as unknown as ConstructorParameters<typeof ScanScheduler>[0]);
  t.after(() => scheduler.close());
  scheduler.listen();
  const started: EventMap['scan.started'][] = [];
  const ended: (EventMap['scan.completed'] | EventMap['scan.failed'])[] = [];
  collector.events.on('scan.started', (scan) => void started.push(scan));
  for (const name of ['scan.completed', 'scan.failed'] as const)
    collector.events.on(name, (scan: EventMap[typeof name]) => void ended.push(scan));
  return {
    scheduler,
    time,
    asked,
    started,
    ended,
    part: part!,
    hold: () => {
      state.isHeld = true;
    },
    release: () => {
      state.isHeld = false;
      for (const resolve of held.splice(0)) resolve();
    },
    gain(...names: readonly string[]) {
      for (const shard of shardsOf(...names)) own.add(shard);
      part!.gain!(shardsOf(...names), false);
    },
    lose(...names: readonly string[]) {
      for (const shard of shardsOf(...names)) own.delete(shard);
      return Promise.resolve(part!.lose!(shardsOf(...names), undefined));
    },
    idle: async () => {
      for (let turn = 0; turn < 200 && scheduler.running !== undefined; turn++) await setImmediate();
    },
  };
}

describe('scans of a member that owns some of the networks', () => {
  it('begin once per interval, and cover its networks only', async (t) => {
    const { scheduler, time, started, idle } = await startMember(t, 'a', 'c');
    for (let minute = 0; minute < 5; minute++) {
      time.nowMs += minute === 0 ? 24 * hourMs : 60_000;
      scheduler.checkSchedule();
      await idle();
    }
    assert.deepEqual(
      started.map(({ cause, networks }) => [cause, networks]),
      [['scheduled', ['a', 'c']]],
    );
    assert.equal(scheduler.nextMs, 148 * hourMs);
  });

  it('are not planned while it owns none', async (t) => {
    const { scheduler, time, started } = await startMember(t);
    time.nowMs += 100 * hourMs;
    scheduler.checkSchedule();
    assert.deepEqual([scheduler.nextMs, started], [undefined, []]);
  });

  it('continue in the interval of the former owner', async (t) => {
    const former = await startMember(t, 'a');
    const heir = await startMember(t, 'b');
    former.scheduler.begin();
    await former.idle();
    heir.time.nowMs += 5 * hourMs;
    heir.scheduler.begin();
    await heir.idle();
    const [shard] = shardsOf('a');
    await former.lose('a');
    heir.part.restore!(shard!, JSON.parse(JSON.stringify(former.part.collect!(shard!))), true);
    heir.gain('a');
    await heir.idle();
    assert.deepEqual(
      heir.started.map(({ networks }) => networks),
      [['b']],
    );
    assert.equal(heir.scheduler.nextMs, 124 * hourMs);
  });

  it('cover a network that it gains after its start and that nobody has scanned', async (t) => {
    const { scheduler, gain, started, idle } = await startMember(t);
    scheduler.begin();
    gain('b');
    await idle();
    assert.deepEqual(
      started.map(({ cause, networks }) => [cause, networks]),
      [['initial', ['b']]],
    );
  });

  it('leave out a network that moves meanwhile, and ask none of its addresses afterwards', async (t) => {
    const { scheduler, lose, hold, release, asked, ended, part, idle } = await startMember(t, 'a', 'b');
    hold();
    scheduler.begin();
    while (asked.length === 0) await setImmediate();
    assert.match(asked[0]!, /^127\.9\.0\./);
    const { id } = scheduler.running!;
    let hasLeft = false;
    const left = lose('a').then(() => {
      hasLeft = true;
    });
    await setImmediate();
    assert.equal(hasLeft, false, 'an address of it is asked at this moment');
    release();
    await left;
    await idle();
    assert.ok(
      asked.slice(1).length === 6 && asked.slice(1).every((ip) => ip.startsWith('127.9.1.')),
      String(asked),
    );
    assert.deepEqual(
      ended.map(({ networks }) => networks),
      [['b']],
    );
    const [shard] = shardsOf('a');
    assert.deepEqual(part.collect!(shard!), { a: { pending: { id, cause: 'initial' } } });
    part.forget!(shardsOf('a'));
    assert.deepEqual(part.collect!(shard!), {});
  });

  it('end when all of its networks move, and go on under the same id when they come back', async (t) => {
    const { scheduler, lose, gain, hold, release, asked, started, ended, idle } = await startMember(t, 'a');
    hold();
    scheduler.begin();
    while (asked.length === 0) await setImmediate();
    const left = lose('a');
    release();
    await left;
    assert.deepEqual(
      ended.map((scan) => 'code' in scan && scan.code),
      ['SCAN_MOVED'],
    );
    gain('a');
    await idle();
    assert.deepEqual(
      started.map(({ id, networks }) => [id, networks]),
      Array.from({ length: 2 }, () => [started[0]!.id, ['a']]),
    );
    assert.equal(ended.length, 2);
  });
});
