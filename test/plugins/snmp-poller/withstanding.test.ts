import assert from 'node:assert/strict';
import { describe, it, type TestContext } from 'node:test';
import { type Batch, type EventMap, gapAt, valueAt } from '../../../src/index.ts';
import type { ReplayKnobs } from '../../../src/testing/index.ts';
import { startTimedSwitch } from './support/timed-switch.ts';

const ifEntry = '1.3.6.1.2.1.2.2.1';
const ifXEntry = '1.3.6.1.2.1.31.1.1.1';
const counters = `${ifXEntry}.6`;
const sysObjectId = '1.3.6.1.2.1.1.2.0';

async function startSwitch(t: TestContext, files = {}, device = 'device_groups: [switch]') {
  const started = await startTimedSwitch(t, { files, device });
  return {
    ...started,
    async pollAfter(seconds: number, knobs: Partial<ReplayKnobs>) {
      const batches = await started.pollAfter(seconds, knobs);
      return batches.find(({ record }) => record === 'IF-MIB::ifEntry')!;
    },
  };
}

/** The rate of a row, by its key or its instance, or the reason why it is missing; undefined without such a row. */
function rateOf({ rows, columns }: Batch, ...keys: readonly string[]) {
  const row = rows.keys.findIndex((key) => keys.includes(key));
  const column = columns.find(({ field }) => field === 'netif.bytes.in_rate')!;
  return row < 0 ? undefined : (valueAt(column, row) ?? gapAt(column, row));
}

const at = (under: string, value: bigint | number | string) => ({ under, at: () => value });
const without = (index: string) =>
  [ifEntry, ifXEntry].map((table) => ({ table, index, isPresent: () => false }));

const watched = (when: string) => ({
  'objects/watched.yml': `IF-MIB::interfaces:
  mib: IF-MIB
  object: interfaces
  attributes:
    ifNumber: { oid: .1.3.6.1.2.1.2.1, name: system.interfaces, syntax: Integer32, rediscover: ${when} }
`,
  'object_groups/watched.yml': 'watched: { objects: [IF-MIB::interfaces] }\n',
  'device_groups/watched.yml': 'watched: { object_groups: [interfaces, watched] }\n',
});

describe('rows that come and go', () => {
  it('are gaps while they are gone, start again when they are back, and do not affect other rows', async (t) => {
    const { pollAfter } = await startSwitch(t);
    const count = (value: bigint) => [at(counters, value)];
    await pollAfter(1, { values: count(100n) });
    const gone = await pollAfter(1, { values: count(200n), rows: without('3') });
    assert.equal(rateOf(gone, 'netif.name=ge-0/3', '3'), 'noSuchInstance');
    assert.equal(rateOf(gone, 'netif.name=ge-0/4'), 100);
    const back = await pollAfter(1, { values: count(300n), rows: [] });
    assert.equal(rateOf(back, 'netif.name=ge-0/3'), 'unseeded');
    assert.equal(rateOf(back, 'netif.name=ge-0/4'), 100);
    assert.equal(rateOf(await pollAfter(1, { values: count(400n) }), 'netif.name=ge-0/3'), 100);
  });

  it('are found automatically when a watched attribute changes', async (t) => {
    const groups = 'device_groups: [watched]';
    const { pollAfter, next, discovered, agent, discovery, device } = await startSwitch(
      t,
      watched('OnChange'),
      groups,
    );
    agent.set({ rows: without('24') });
    await discovery.request(device('sw'), 'requested').run.ended;
    const before = await pollAfter(1, {});
    assert.equal(before.rows.keys.includes('netif.name=ge-0/24'), false);
    const completed = next('discovery.completed');
    await pollAfter(1, { rows: [], values: [at('1.3.6.1.2.1.2.1', 99)] });
    assert.equal((await completed).cause, 'changed');
    await discovered();
    const after = await pollAfter(1, {});
    assert.equal(after.rows.count, before.rows.count + 1);
  });

  it('are discovered after a watched attribute was reset', async (t) => {
    const { pollAfter, next } = await startSwitch(t, watched('OnReset'), 'device_groups: [watched]');
    await pollAfter(1, { values: [at('1.3.6.1.2.1.2.1', 99)] });
    const completed = next('discovery.completed');
    await pollAfter(1, { values: [at('1.3.6.1.2.1.2.1', 98)] });
    assert.equal((await completed).cause, 'reset');
  });
});

describe('a reply that comes after the deadline', () => {
  it('is not used by a later poll', async (t) => {
    let asked = 0;
    const { agent, next, poller, device } = await startSwitch(
      t,
      {},
      'device_groups: [switch], poll_interval: 1',
    );
    await next('poll.completed');
    const values = [{ under: `${counters}.3`, at: () => BigInt(++asked) }];
    agent.set({ delayMs: 900, values });
    await next('poll.failed');
    const late = asked;
    assert.ok(late > 0, 'the agent has answered too late');
    agent.set({ delayMs: 0 });
    await next('poll.completed');
    const batch = poller.latest(device('sw')).find(({ record }) => record === 'IF-MIB::ifEntry')!;
    const row = batch.rows.keys.indexOf('netif.name=ge-0/3');
    assert.equal(valueAt(batch.columns[0]!, row), asked, 'the reply to the request of this poll');
    assert.ok(asked > late);
  });
});

describe('a replaced device', () => {
  it('is discovered after its restart, and polled with the group of its new sysObjectID', async (t) => {
    const files = { 'autodiscover/sysoids/all.yml': '.1.3.6.1.4.1: switch\n.1.3.6.1.4.1.9.9: plain\n' };
    const { agent, time, poll, next, discovered, discovery, device } = await startSwitch(
      t,
      files,
      'tags: { a: b }',
    );
    assert.equal((await poll('sw')).length, 2);
    const completed = next('discovery.completed');
    agent.reboot();
    time.nowMs += 20_000;
    agent.set({ values: [{ under: sysObjectId, at: () => Buffer.from([0x2b, 6, 1, 4, 1, 9, 9]) }] });
    await poll('sw');
    assert.equal((await completed).cause, 'reset');
    await discovered();
    assert.deepEqual(discovery.findInventory(device('sw'))?.deviceGroups, ['plain']);
    const records = (await poll('sw')).map(({ record }) => record);
    assert.deepEqual(records, ['SNMPv2-MIB::system']);
  });
});

describe('a wall clock that is set', () => {
  it('by an hour or a day causes no missing poll, no extra poll and no wrong rate', async (t) => {
    const { next, output, discovery, time, agent, collector, poller } = await startSwitch(
      t,
      {},
      'device_groups: [switch], poll_interval: 1',
    );
    agent.set({ hasMovingUptime: false, values: [{ under: counters, at: () => BigInt(time.nowMs) }] });
    await next('poll.completed');
    const realNow = Date.now;
    t.after(() => {
      Date.now = realNow;
    });
    const polls: EventMap['poll.completed'][] = [];
    collector.events.on('poll.completed', (poll) => void polls.push(poll));
    const first = poller.counters();
    const begunMs = performance.now();
    const hourMs = 3_600_000;
    for (const stepMs of [hourMs, -hourMs, -24 * hourMs, 24 * hourMs]) {
      const before = Date.now;
      Date.now = () => before() + stepMs;
      time.nowMs += 500;
      await next('poll.completed');
    }
    const seconds = (performance.now() - begunMs) / 1000;
    // A busy machine may skip a slot, and then the slot is counted.
    const { overruns, skippedSlots } = poller.counters();
    const slots = polls.length + overruns - first.overruns + skippedSlots - first.skippedSlots;
    assert.ok(Math.abs(slots - seconds) <= 1.1, `${slots} slots in ${seconds} s`);
    assert.equal(discovery.runs.length, 1, 'nothing is discovered again');
    const records = output.batches.filter(({ record }) => record === 'IF-MIB::ifEntry').slice(1);
    for (const batch of records) {
      const rate = rateOf(batch, 'netif.name=ge-0/4');
      assert.ok(typeof rate === 'number' && rate >= 0 && rate < 1_000, String(rate));
    }
    assert.equal(Math.round((polls[0]!.slotMs - realNow()) / hourMs), 1, 'records carry the new time');
  });
});
