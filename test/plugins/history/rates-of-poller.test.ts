import assert from 'node:assert/strict';
import { join } from 'node:path';
import { describe, it, type TestContext } from 'node:test';
import fc from 'fast-check';
import { rateBetween } from '../../../plugins/history/chunk/counter-rates.ts';
import { HistoryStore } from '../../../plugins/history/history-store.ts';
import { readHistory } from '../../../plugins/history/reading/read-history.ts';
import { elapsedBetween, startedMsOf } from '../../../plugins/snmp-poller/counter/device-time.ts';
import { type Batch, type GapReason, gapAt, valueAt } from '../../../src/index.ts';
import type { ReplayKnobs } from '../../../src/testing/index.ts';
import { temporaryFolder } from '../../support/temporary-folder.ts';
import { startTimedSwitch } from '../snmp-poller/support/timed-switch.ts';

const folder = temporaryFolder();
const record = 'IF-MIB::ifEntry';
const hcInOctets = '1.3.6.1.2.1.31.1.1.1.6';
const inOctets = '1.3.6.1.2.1.2.2.1.10';
const inErrors = '1.3.6.1.2.1.2.2.1.14';
const discontinuity = '1.3.6.1.2.1.31.1.1.1.19';
const limit = { maxBytes: 2 ** 40, maxAgeMs: 2 ** 50 };
const stepSeconds = 5;

/** Counters of 64 and 32 bits, and one of 32 bits that is scaled. */
const files = {
  'objects/more.yml': `IF-MIB::ifMore:
  mib: IF-MIB
  object: ifMore
  augments: IF-MIB::ifEntry
  discovery_attribute: ifInErrors
  attributes:
    ifHCInOctets: { oid: .${hcInOctets}, name: netif.wide.in, syntax: Counter64, metric: counter }
    ifInErrors: { oid: .${inErrors}, name: netif.errors.in, syntax: Counter32, metric: counter }
    ifInOctets: { oid: .${inOctets}, name: netif.kib.in, syntax: Counter32, metric: counter, scale: { factor: 1024 } }
    ifCounterDiscontinuityTime: { oid: .${discontinuity}, name: netif.discontinuity, syntax: TicksCentiSec }
`,
  'object_groups/more.yml': 'more: { objects: [IF-MIB::ifMore] }\n',
  'device_groups/more.yml': 'switch-more: { object_groups: [interfaces, more] }\n',
};
const rates = ['netif.wide.in_rate', 'netif.errors.in_rate', 'netif.kib.in_rate'];

/** What the device counts at each poll, and what happens before it. */
interface Step {
  readonly bytes: bigint;
  readonly errors: number;
  readonly kib?: number;
  readonly mark?: number;
  readonly before?: 'reboot' | 'silence';
}

const walk: readonly Step[] = [
  { bytes: 3_000_000_000n, errors: 2 ** 32 - 50 },
  { bytes: 3_000_005_000n, errors: 2 ** 32 - 30 },
  // 32 bits wrap, also when they are scaled.
  { bytes: 3_000_010_000n, errors: 20, kib: 2 ** 32 - 10 },
  { bytes: 3_000_015_000n, errors: 45, kib: 40 },
  // A counter of 64 bits was reset: one of 32 bits would have wrapped.
  { bytes: 100n, errors: 45, kib: 40 },
  { bytes: 5_100n, errors: 1_000_000, kib: 41 },
  // So was one of 32 bits.
  { bytes: 10_100n, errors: 7, kib: 42 },
  { bytes: 2n ** 64n - 30n * 2_048n, errors: 8, kib: 43 },
  { bytes: 2n ** 64n - 10n * 2_048n, errors: 8, kib: 43 },
  // 64 bits wrap. Doubles have every 2,048th number of this size.
  { bytes: 9_500n, errors: 9, kib: 44 },
  { bytes: 14_500n, errors: 10, kib: 45 },
  // A lost poll: the next rate is that of twice the time.
  { bytes: 24_500n, errors: 30, kib: 65, before: 'silence' },
  // Lost continuity, although the counters only grew.
  { bytes: 90_000n, errors: 40, kib: 66, mark: 77 },
  { bytes: 95_000n, errors: 41, kib: 67, mark: 77 },
  // A restart, although the counters only grew.
  { bytes: 99_000n, errors: 50, kib: 70, mark: 77, before: 'reboot' },
  { bytes: 104_000n, errors: 51, kib: 71, mark: 77 },
];

/** A value, or the reason why there is none. */
type Point = number | GapReason | string | undefined;

/** The walk as the poller sees it, at the times of the device. Rates and readings are in the same batches. */
async function pollWalk(t: TestContext): Promise<readonly Batch[]> {
  const started = await startTimedSwitch(t, {
    device: 'device_groups: [switch-more]',
    files,
    poller: { counters: { raw: true, rate: true } },
  });
  const { time, agent } = started;
  const batches: Batch[] = [];
  let bootMs = time.nowMs - 3_600_000;
  let startedMs: number | undefined;
  for (const { bytes, errors, kib = 0, mark = 0, before } of walk) {
    if (before === 'silence') {
      time.nowMs += 1000 * stepSeconds;
      agent.set({ isSilent: true });
      await started.poll('sw');
      agent.set({ isSilent: false });
    }
    if (before === 'reboot') {
      agent.reboot();
      bootMs = time.nowMs;
    }
    const still = (under: string, value: bigint | number) => ({ under, at: () => value });
    const values: ReplayKnobs['values'] = [
      still(hcInOctets, bytes),
      still(inErrors, errors),
      still(inOctets, kib),
      still(discontinuity, mark),
    ];
    const polled = await started.pollAfter(stepSeconds, { values });
    const batch = polled.find((each) => each.record === record)!;
    // The time of the device instead of that of this machine, which has hardly moved.
    startedMs = startedMsOf((time.nowMs - bootMs) / 10, time.nowMs, startedMs);
    const times = { timeMs: time.nowMs, slotMs: time.nowMs, intervalMs: 1000 * stepSeconds, startedMs };
    batches.push({ ...batch, ...times });
    await started.discovered();
  }
  return batches;
}

function pointsOfPoller(batches: readonly Batch[], field: string): Map<number, Point> {
  return new Map(
    batches.map((batch) => {
      const column = batch.columns.find((each) => each.field === field)!;
      const row = batch.rows.keys.indexOf('netif.name=ge-0/3');
      return [batch.timeMs, (valueAt(column, row) as number | undefined) ?? gapAt(column, row)];
    }),
  );
}

async function openStore(name: string, nowMs: () => number): Promise<HistoryStore> {
  const log = () => assert.fail('a line was logged');
  return HistoryStore.open({
    directory: join(folder, name),
    limits: { polled: limit, five_minutes: limit, hours: limit },
    flushMs: 2 ** 30,
    log: { error: log, warn: log } as never,
    now: nowMs,
  });
}

async function pointsOfHistory(store: HistoryStore, field: string, [first, last]: readonly [Batch, Batch]) {
  const question = { devices: [first.device.name], record, rows: ['netif.name=ge-0/3'], fields: [field] };
  const { times, series } = await readHistory(
    store,
    { ...question, fromMs: first.timeMs, toMs: last.timeMs, aggregate: 'mean' },
    new AbortController().signal,
  );
  const { values, gaps } = series[0]!;
  return new Map(
    times.map((timeMs, i): [number, Point] => {
      const gap = gaps.find(({ fromMs, toMs }) => fromMs <= timeMs && timeMs <= toMs);
      return [timeMs, values[i] ?? gap?.why];
    }),
  );
}

describe('the rates that the history computes', () => {
  it('are those of the poller: when counters wrap, are reset, lose their continuity, and after a lost poll', async (t) => {
    const batches = await pollWalk(t);
    const ends = [batches[0]!, batches.at(-1)!] as const;
    let nowMs = ends[0].timeMs;
    const store = await openStore('walk', () => nowMs);
    for (const batch of batches) {
      nowMs = batch.timeMs;
      store.take([batch]);
    }
    const seen = new Set<Point>();
    for (const isSorted of [false, true]) {
      if (isSorted) await store.sort();
      for (const field of rates) {
        const expected = pointsOfPoller(batches, field);
        for (const point of expected.values()) seen.add(typeof point === 'number' ? 'rate' : point);
        const found = await pointsOfHistory(store, field, ends);
        // Where nothing was polled, the poller has no batch.
        for (const timeMs of found.keys()) if (!expected.has(timeMs)) found.delete(timeMs);
        assert.deepEqual(rounded(found), rounded(expected), `${field}, ${isSorted ? 'sorted' : 'recent'}`);
      }
    }
    assert.deepEqual([...seen].sort(), ['rate', 'reset', 'unseeded']);
    await store.close();
  });

  it('are the same when an hour ends anywhere in between, and so are the means of five minutes', async (t) => {
    const batches = await pollWalk(t);
    const ends = [batches[0]!, batches.at(-1)!] as const;
    const means = new Set<string>();
    for (let cut = 0; cut <= batches.length; cut += 4) {
      let nowMs = ends[0].timeMs;
      const store = await openStore(`cut ${cut}`, () => nowMs);
      for (const [i, batch] of batches.entries()) {
        nowMs = batch.timeMs;
        if (i === cut && i > 0) await store.sort();
        store.take([batch]);
      }
      await store.sort();
      for (const field of rates) {
        const found = await pointsOfHistory(store, field, ends);
        const expected = pointsOfPoller(batches, field);
        for (const timeMs of found.keys()) if (!expected.has(timeMs)) found.delete(timeMs);
        assert.deepEqual(rounded(found), rounded(expected), `${field}, cut at ${cut}`);
      }
      const question = { devices: [ends[0].device.name], record, rows: ['netif.name=ge-0/3'], fields: rates };
      const { series } = await readHistory(
        store,
        { ...question, fromMs: ends[0].timeMs, toMs: nowMs, stepMs: 3_600_000, aggregate: 'max' },
        new AbortController().signal,
      );
      means.add(JSON.stringify(series.map(({ field, values }) => [field, values])));
      await store.close();
    }
    assert.equal(means.size, 1, [...means].join('\n'));
  });

  it('see the restarts that the poller sees, and no others, whatever the clock of the device does', () => {
    const seconds = fc.integer({ min: 1, max: 7_200 });
    const moment = fc.record({ seconds, upTicks: fc.integer({ min: 0, max: 2 ** 31 }) });
    const running = fc.record({ seconds, drift: fc.double({ min: -0.3, max: 0.3, noNaN: true }) });
    fc.assert(
      fc.property(
        fc.integer({ min: 0, max: 2 ** 30 }),
        fc.array(fc.oneof(moment, running)),
        (first, steps) => {
          const startMs = 1_700_000_000_000;
          let before = { localMs: 0, upTicks: first, boots: undefined };
          let startedMs = startedMsOf(first, startMs, undefined);
          for (const step of steps) {
            const localMs = before.localMs + 1000 * step.seconds;
            const upTicks =
              'upTicks' in step
                ? step.upTicks
                : before.upTicks + Math.round(100 * step.seconds * (1 + step.drift));
            const now = { localMs, upTicks, boots: undefined };
            const nowStartedMs = startedMsOf(upTicks, startMs + localMs, startedMs);
            const { isRestart } = elapsedBetween(before, now);
            const readings = [
              { timeMs: startMs + before.localMs, startedMs, value: 1 },
              { timeMs: startMs + localMs, startedMs: nowStartedMs, value: 2 },
            ] as const;
            const isReset = 'gap' in rateBetween(...readings);
            // The start is known to five seconds. An agent that restarts again after some seconds is seen by the poller alone.
            const behindMs = localMs - before.localMs - 10 * (upTicks - before.upTicks);
            const toleratedMs = 10_000 + 100 * step.seconds;
            const isAgain = upTicks < before.upTicks && behindMs < toleratedMs;
            if (Math.abs(behindMs - toleratedMs) > 5_000 && !isAgain)
              assert.equal(isReset, isRestart, JSON.stringify(step));
            [before, startedMs] = [now, nowStartedMs];
          }
        },
      ),
    );
  });

  it('continue while the clocks of a device and of this machine drift apart for days', () => {
    const [day, minute] = [86_400_000, 60_000];
    const startMs = 1_700_000_000_000;
    let startedMs = startedMsOf(0, startMs, undefined);
    for (let timeMs = startMs + minute; timeMs < startMs + 7 * day; timeMs += minute) {
      // It loses eight seconds per day.
      const upTicks = Math.floor(((timeMs - startMs) * (1 - 8_000 / day)) / 10);
      const nowStartedMs = startedMsOf(upTicks, timeMs, startedMs);
      const before = { timeMs: timeMs - minute, startedMs, value: 1 };
      assert.deepEqual(rateBetween(before, { timeMs, startedMs: nowStartedMs, value: 61 }), { value: 1 });
      startedMs = nowStartedMs;
    }
  });
});

function rounded(points: ReadonlyMap<number, Point>): [number, Point][] {
  return [...points].map(([timeMs, point]) => [
    timeMs,
    typeof point === 'number' ? Number(point.toPrecision(9)) : point,
  ]);
}
