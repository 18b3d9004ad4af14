import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { ratesOf, recentRate } from '../../../../plugins/web-page/browser/parts/counter-rates.ts';
import { findRowWindow, scrollFor } from '../../../../plugins/web-page/browser/parts/row-window.ts';
import {
  gapAt,
  lastValue,
  makePlotData,
  valueAt,
  withoutLead,
} from '../../../../plugins/web-page/browser/state/plot-data.ts';
import { formatPlace, parsePlace } from '../../../../plugins/web-page/browser/state/route-text.ts';
import { findSpans } from '../../../../plugins/web-page/browser/state/state-spans.ts';
import {
  boundsOf,
  chooseStep,
  formatRange,
  parseRange,
} from '../../../../plugins/web-page/browser/state/time-range.ts';

describe('the rows of a long table that are drawn', () => {
  it('are the visible ones with some spare', () => {
    assert.deepEqual(findRowWindow(100_000, 34, 34_000, 680), {
      first: 992,
      end: 1028,
      pixelsBefore: 33_728,
      pixelsAfter: 98_972 * 34,
    });
  });
  it('fit at both ends, and in a table without rows', () => {
    assert.deepEqual(findRowWindow(5, 34, 0, 680), { first: 0, end: 5, pixelsBefore: 0, pixelsAfter: 0 });
    assert.deepEqual(findRowWindow(0, 34, 0, 680), { first: 0, end: 0, pixelsBefore: 0, pixelsAfter: 0 });
    assert.deepEqual(findRowWindow(10, 34, 10_000, 680), {
      first: 9,
      end: 10,
      pixelsBefore: 306,
      pixelsAfter: 0,
    });
  });
  it('always take the same room together', () => {
    for (let scrolled = 0; scrolled < 40_000; scrolled += 777) {
      const { first, end, pixelsBefore, pixelsAfter } = findRowWindow(1000, 34, scrolled, 500);
      assert.equal(pixelsBefore + (end - first) * 34 + pixelsAfter, 34_000);
    }
  });
  it('scroll only as far as needed', () => {
    assert.equal(scrollFor(0, 34, 100, 340), 0);
    assert.equal(scrollFor(5, 34, 100, 340), undefined);
    assert.equal(scrollFor(20, 34, 100, 340), 374);
  });
});

describe('places of the page', () => {
  it('come back from their address', () => {
    for (const words of [['device', 'core/1 ?#%'], ['device', '<b>\u202e'], ['fleet']]) {
      const address = formatPlace(words, { tab: 'a&b=c', row: '' });
      assert.deepEqual(parsePlace(address), { words, query: { tab: 'a&b=c' } });
    }
  });
  it('survive an address that nobody wrote on purpose', () => {
    assert.deepEqual(parsePlace('#/device/%E0%A4'), { words: ['device', '%E0%A4'], query: {} });
    assert.deepEqual(parsePlace(''), { words: [], query: {} });
  });
});

describe('the time of the graphs', () => {
  it('comes back from the address', () => {
    for (const range of [
      { kind: 'recent', seconds: 86_400 },
      { kind: 'fixed', fromMs: 1_795_442_000_000, toMs: 1_795_443_000_000 },
    ] as const) {
      assert.deepEqual(parseRange(formatRange(range)), range);
    }
  });
  it('is the last hour for anything else', () => {
    for (const text of [undefined, '', '17', 'x', '1795443000-1795442000'])
      assert.deepEqual(parseRange(text), { kind: 'recent', seconds: 3600 });
  });
  it('ends now unless somebody selected it', () => {
    assert.deepEqual(boundsOf({ kind: 'recent', seconds: 60 }, 100_000), { fromMs: 40_000, toMs: 100_000 });
  });
  it('has values as polled for hours and at most 500 steps for longer', () => {
    const hours = (count: number) => chooseStep(0, count * 3_600_000);
    assert.deepEqual([1, 6, 24, 168, 720, 17_520].map(hours), [
      undefined,
      undefined,
      300,
      1800,
      7200,
      86_400,
    ]);
  });
});

describe('lines of a graph', () => {
  const answer = {
    times: [1000, 2000, 3000, 4000],
    series: [
      {
        device: 'a',
        record: 'r',
        row: '1',
        labels: {},
        field: 'in',
        values: [10, null, null, 40],
        gaps: [{ from: 3000, to: 3000, why: 'timeout' }],
      },
    ],
  };
  const data = makePlotData(answer, [
    { label: 'in', find: ({ field }) => field === 'in', times: 8 },
    { label: 'out', find: ({ field }) => field === 'out' },
  ]);
  it('break only where the history says that a value is missing', () => {
    assert.deepEqual(data.times, [1, 2, 3, 4]);
    assert.deepEqual(
      data.lines.map(({ label, values }) => [label, values]),
      [['in', [80, undefined, null, 320]]],
    );
  });
  it('say the value at a time, or why there is none', () => {
    const line = data.lines[0]!;
    assert.deepEqual([valueAt(line, 1), valueAt(line, 2), lastValue(line)], [80, null, 320]);
    assert.deepEqual([gapAt(line.gaps, 3000), gapAt(line.gaps, 2000)], ['timeout', undefined]);
  });
});

describe('the time before the first value', () => {
  const series = { device: 'd', record: 'r', row: 'a', labels: {}, field: 'x' };
  const gap = (from: number, to: number, why: string) => ({ from, to, why });

  it('is no outage, unless the device was down', () => {
    const gaps = [
      gap(0, 10, 'unpolled'),
      gap(10, 20, 'down'),
      gap(20, 30, 'unpolled'),
      gap(40, 50, 'unpolled'),
    ];
    const shown = withoutLead({ ...series, values: [null, null, null, 5, null], gaps }, [0, 10, 20, 30, 40]);
    assert.deepEqual(shown.gaps, [gap(10, 20, 'down'), gap(40, 50, 'unpolled')]);
    const never = withoutLead({ ...series, values: [null, null], gaps: [gap(0, 20, 'unpolled')] }, [0, 10]);
    assert.deepEqual(never.gaps, []);
  });
});

describe('states over time', () => {
  it('are joined while they stay the same, until the end', () => {
    const names = { 1: 'up', 2: 'down' };
    assert.deepEqual(findSpans([1, 2, 3, 4], { values: [1, 1, null, 2], names }, 9), [
      { name: 'up', tone: 'ok', fromMs: 1, toMs: 4 },
      { name: 'down', tone: 'bad', fromMs: 4, toMs: 9 },
    ]);
  });
  it('of a truth value have names', () => {
    assert.deepEqual(
      findSpans([1, 2], { values: [0, 1] }, 2).map(({ name }) => name),
      ['down', 'up'],
    );
  });
  it('have two names where a step of a long time has several, and never a mean', () => {
    const series = { values: [1, 2, 2], lows: [1, 1, 2], names: { 1: 'up', 2: 'down' } };
    assert.deepEqual(
      findSpans([1, 2, 3], series, 4).map(({ name, tone }) => [name, tone]),
      [
        ['up', 'ok'],
        ['up and down', 'warn'],
        ['down', 'bad'],
      ],
    );
  });
});

describe('rates of the collector', () => {
  const readings = [0, 100, 300, 50].map((count, i) => ({ atMs: i * 10_000, count }));
  it('are increases per second, never negative', () => assert.deepEqual(ratesOf(readings), [10, 20, 0]));
  it('are unknown before the second reading', () => {
    assert.equal(recentRate(readings.slice(0, 1), 30_000), undefined);
    assert.equal(recentRate(readings.slice(0, 3), 30_000), 15);
  });
});
