import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { renderExposition } from '../../../../plugins/outputs/prometheus/exposition/exposition.ts';
import { LatestValues } from '../../../../plugins/outputs/prometheus/latest/latest-values.ts';
import type { Batch } from '../../../../src/index.ts';
import { FamilyTable } from '../../../../src/output-kit/naming/family-table.ts';
import { createTestBatch } from '../../../../src/testing/index.ts';
import { parseExposition } from './exposition-parser.ts';
import { rateOf, type Sample } from './prometheus-rate.ts';

const startMs = 1_700_000_000_000;
const perSecond = 500e6;

interface Poll {
  readonly atMs: number;
  readonly value: bigint | undefined;
  readonly slotMs?: number;
}

const batchOf = ({ atMs, value, slotMs = atMs }: Poll, intervalMs?: number): Batch =>
  createTestBatch({
    slotMs: startMs + slotMs,
    timeMs: startMs + atMs,
    intervalMs,
    rows: [
      {
        key: '1',
        labels: { port: '1' },
        values: { name: 'a', ...(value === undefined ? {} : { c: value }) },
      },
      { key: '2', labels: { port: '2' }, values: { name: 'b', c: 0n } },
    ],
  });

/** Plays polls and scrapes in the order of their times; a batch arrives a second after its poll. */
function play(
  polls: readonly Poll[],
  scrapesMs: readonly number[],
  { intervalMs, timestamps = false }: { readonly intervalMs?: number; readonly timestamps?: boolean } = {},
): Sample[] {
  const latest = new LatestValues({
    families: new FamilyTable('snmp_'),
    stateSets: new Set(),
    staleIntervals: 3,
    timestamps,
  });
  const waiting = [...polls];
  const samples: Sample[] = [];
  for (const scrapeMs of scrapesMs) {
    while (waiting.length > 0 && waiting[0]!.atMs + 1_000 <= scrapeMs) {
      const poll = waiting.shift()!;
      latest.take(batchOf(poll, intervalMs), startMs + poll.atMs + 1_000);
    }
    const nowMs = startMs + scrapeMs;
    const settings = { openMetrics: false, timestamps, created: false, nowMs };
    const text = Array.from(renderExposition(latest.fresh(nowMs), settings), String).join('');
    const { samples: scraped = [] } = parseExposition(text, false).get('snmp_c_total') ?? {};
    const sample = scraped.find(({ labels }) => labels['port'] === '1');
    if (sample !== undefined) {
      const atMs = sample.timestamp === undefined ? scrapeMs : Number(sample.timestamp) - startMs;
      samples.push({ atMs, value: Number(sample.value) });
    }
  }
  return samples;
}

const times = (everyMs: number, untilMs: number, offsetMs = 0) =>
  Array.from({ length: Math.floor((untilMs - offsetMs) / everyMs) }, (_, i) => offsetMs + i * everyMs);

/** Even growth, read late by a different part of `jitterMs` each time. */
function evenPolls(everyMs: number, untilMs: number, jitterMs = 0): Poll[] {
  return times(everyMs, untilMs).map((slotMs, i) => {
    const atMs = slotMs + ((i * 7) % 11) * (jitterMs / 10);
    return { atMs, slotMs, value: BigInt(Math.round(1e12 + (atMs / 1_000) * perSecond)) };
  });
}

/** How far the rates of a window are off at worst, from `fromMs` to `toMs`. */
function worstError(samples: readonly Sample[], windowMs: number, fromMs: number, toMs: number): number {
  const errors = times(7_000, toMs - fromMs).map((ms) => {
    const rate = rateOf(samples, fromMs + ms, windowMs);
    return rate === undefined ? Number.POSITIVE_INFINITY : Math.abs(rate / perSecond - 1);
  });
  return Math.max(...errors);
}

const minuteMs = 60_000;
const hourMs = 60 * minuteMs;

describe('the rate of an even counter in Prometheus', () => {
  for (const scrapeSeconds of [15, 30, 60, 90]) {
    for (const [polled, intervalMs, jitterMs] of [
      ['every minute', minuteMs, 0],
      ['every minute, up to five seconds late', minuteMs, 5_000],
      ['every five minutes', 5 * minuteMs, 0],
    ] as const) {
      it(`is right when it is polled ${polled}, and scraped every ${scrapeSeconds} seconds`, () => {
        const scrapes = times(scrapeSeconds * 1_000, hourMs, 7_300);
        const samples = play(evenPolls(intervalMs, hourMs, jitterMs), scrapes, { intervalMs });
        const fromMs = 3 * intervalMs + 5 * minuteMs;
        for (const windowMs of [4 * scrapeSeconds * 1_000, 5 * minuteMs, 10 * minuteMs]) {
          // A rate right now, when the next scrape is still to come, and one of the past.
          const error = worstError(samples, windowMs, fromMs + windowMs, hourMs - scrapeSeconds * 1_000);
          assert.ok(error <= 0.01, `off by ${error} over ${windowMs} ms`);
        }
      });
    }
  }

  it('needs the paths: with the times of the polls, some are lost to slow scrapes', () => {
    const samples = play(evenPolls(minuteMs, hourMs), times(90_000, hourMs, 7_300), { timestamps: true });
    assert.ok(worstError(samples, 5 * minuteMs, 10 * minuteMs, hourMs - 5 * minuteMs) > 0.2);
  });
});

describe('a counter between two polls', () => {
  const even = (count: number) => evenPolls(minuteMs, count * minuteMs);
  const valueAt = (polls: readonly Poll[], ms: number) =>
    play(polls, [ms], { intervalMs: minuteMs })[0]?.value;

  it('appears with its second poll, because one poll is no rate', () => {
    assert.equal(valueAt(even(1), 50_000), undefined);
    assert.notEqual(valueAt(even(2), 61_000), undefined);
  });

  it('reaches each polled value, to the last digit, and stands still there until the next one', () => {
    const polls = [10n, 20n, 2n ** 60n + 1n].map((value, i) => ({ atMs: i * minuteMs, value }));
    assert.equal(valueAt(polls, 10 * minuteMs - 1), undefined, 'stale');
    const samples = play(polls.slice(0, 2), [2.9 * minuteMs, 3 * minuteMs], { intervalMs: minuteMs });
    assert.deepEqual(
      samples.map(({ value }) => value),
      [20, 20],
    );
  });

  it('never falls while the counter grows, whatever the intervals do', () => {
    const gaps = [60, 61, 59, 5, 1, 60, 130, 60, 60, 30, 30, 300, 60].map((seconds) => seconds * 1_000);
    let atMs = 0;
    const polls = gaps.map((gap, i) => {
      atMs += gap;
      return { atMs, value: BigInt(i * i * 1000) };
    });
    for (const intervalMs of [undefined, minuteMs]) {
      const values = play(polls, times(700, atMs), intervalMs === undefined ? {} : { intervalMs }).map(
        ({ value }) => value,
      );
      assert.ok(values.length > 400);
      for (const [i, value] of values.entries()) assert.ok(i === 0 || value >= values[i - 1]!);
    }
  });

  it('starts again from zero when the device does', () => {
    const values = [5_000n, 9_000n, 600n, 1_200n, 1_800n];
    const polls = values.map((value, i) => ({ atMs: i * minuteMs, value }));
    const samples = play(polls, times(5_000, 5.5 * minuteMs), { intervalMs: minuteMs });
    const falls = samples.flatMap(({ value }, i) => (i > 0 && value < samples[i - 1]!.value ? [value] : []));
    assert.equal(falls.length, 1);
    assert.ok(falls[0]! < 100);
    assert.ok(samples.at(-1)!.value > 1_000);
  });

  it('is not served after a poll without its value, and continues on its way', () => {
    const polls = even(8).map((poll, i) => (i === 4 ? { ...poll, value: undefined } : poll));
    const samples = play(polls, times(1_000, 8 * minuteMs), { intervalMs: minuteMs });
    const missing = times(1_000, 8 * minuteMs).filter(
      (ms) => ms > 61_000 && !samples.some(({ atMs }) => atMs === ms),
    );
    assert.equal(missing.length, 60);
    const slopes = samples.slice(1).map((sample, i) => {
      const before = samples[i]!;
      return ((sample.value - before.value) / (sample.atMs - before.atMs)) * 1_000;
    });
    for (const slope of slopes) assert.ok(Math.abs(slope / perSecond - 1) < 0.01, String(slope));
  });

  it('is found by the key of its row when rows come and go', () => {
    const latest = new LatestValues({
      families: new FamilyTable(''),
      stateSets: new Set(),
      staleIntervals: 3,
      timestamps: false,
    });
    for (let minute = 0; minute < 3; minute++) {
      const keys = minute === 1 ? ['b', 'a'] : ['a', 'b'];
      const timeMs = startMs + minute * minuteMs;
      const rows = keys.map((key) => ({
        key,
        labels: { key },
        values: { c: BigInt(minute * 60) + (key === 'a' ? 1_000n : 0n) },
      }));
      latest.take(createTestBatch({ slotMs: timeMs, timeMs, intervalMs: minuteMs, rows }));
    }
    const nowMs = startMs + 2.5 * minuteMs;
    const settings = { openMetrics: false, timestamps: false, created: false, nowMs };
    const text = Array.from(renderExposition(latest.fresh(nowMs), settings), String).join('');
    const { samples } = parseExposition(text, false).get('c_total')!;
    assert.deepEqual(
      samples.map(({ labels, value }) => [labels['key'], value]),
      [
        ['a', '1082'],
        ['b', '82'],
      ],
    );
  });
});
