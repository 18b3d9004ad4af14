import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { explainGap, isTroublesome, shortGap } from '../../../../plugins/web-page/browser/parts/gap-words.ts';
import { describeShift, showNumber } from '../../../../plugins/web-page/browser/parts/number-text.ts';
import { makeSafe } from '../../../../plugins/web-page/browser/parts/safe-text.ts';
import {
  formatAgo,
  formatClock,
  formatFor,
  formatUtc,
} from '../../../../plugins/web-page/browser/parts/time-text.ts';
import { describeRaw } from '../../../../plugins/web-page/browser/views/device/raw-text.ts';
import { describeSetting } from '../../../../plugins/web-page/browser/views/device/setting-text.ts';
import { gapReasons } from '../../../../src/model/gap.ts';

describe('numbers on the page', () => {
  for (const [value, unit, expected] of [
    [0, 'bit/s', '0 bit/s'],
    [719_480_000, 'bit/s', '719 Mbit/s'],
    [999.96, 'bit/s', '1 kbit/s'],
    [-1500, 'W', '−1.5 kW'],
    [0.0123, 'A', '12.3 mA'],
    [23.4, '°C', '23.4 °C'],
    [12_345, '%', '12345 %'],
    [1536, 'B', '1.5 KiB'],
    [8_589_934_592, 'B', '8 GiB'],
    [2, '1', '2'],
    [0.25, 'packets/s', '0.25 packets/s'],
    [24_088, undefined, '24,088'],
    [2_408_800, undefined, '2.41 M'],
    [0.4, 'ms', '400 µs'],
    [0.25, 'bit/s', '0.25 bit/s'],
    [0.25, 'V', '250 mV'],
    [2.5, 'ms', '2.5 ms'],
    [3158, 'ms', '3.16 s'],
    [200, 's', '3 min 20 s'],
    [3_812_083_840, 'ms', '44 d 2 h'],
    [86_400, 's', '1 d'],
    [Number.POSITIVE_INFINITY, 'V', 'Infinity V'],
  ] as const) {
    it(`shows ${value} ${unit ?? 'without a unit'} as ${expected}`, () =>
      assert.equal(showNumber(value, unit), expected));
  }
});

describe('a change of a number on the page', () => {
  for (const [before, after, expected] of [
    [40, 42.5, '+2.5 (+6 %)'],
    [42.5, 40, '−2.5 (−6 %)'],
    [0, 3, '+3'],
    [3, 3, ''],
    [1.0001, 1.0002, ''],
  ] as const) {
    it(`from ${before} to ${after} is shown as "${expected}"`, () =>
      assert.equal(describeShift(before, after), expected));
  }
});

describe('settings of a device on the page', () => {
  for (const [name, value, expected] of [
    ['timeout', 500, '500 ms'],
    ['poll_interval', 300, '5 min'],
    ['poll_intervals', { fast: 5, slow: 3600 }, 'fast every 5 s, slow every 1 h'],
    ['device_groups', ['auto', 'switch'], 'auto, switch'],
    ['device_groups', [], 'none'],
    ['tags', { site: 'lab' }, 'site=lab'],
    ['enabled', true, 'true'],
  ] as const) {
    it(`have words and units: ${name}, ${expected}`, () =>
      assert.equal(describeSetting(name, value), expected));
  }
});

describe('what a device sent', () => {
  const show = (type: string, value: string) => {
    const { value: shown, meaning } = describeRaw({ type, value });
    return [shown, meaning];
  };
  it('is shown octet by octet, and as text where it is text', () =>
    assert.deepEqual(show('OctetString', '67652d302f31'), ['67 65 2d 30 2f 31', 'ge-0/1']));
  it('is no text with other octets in it', () =>
    assert.deepEqual(show('OctetString', '020000000a00'), ['02 00 00 00 0a 00', '']));
  it('is an address for an IpAddress', () =>
    assert.deepEqual(show('IpAddress', 'c0000201'), ['c0 00 02 01', '192.0.2.1']));
  it('is a number as it is, also one that looks like octets', () =>
    assert.deepEqual(show('Counter64', '900722'), ['900722', '']));
  it('is said to be empty', () => assert.deepEqual(show('OctetString', ''), ['(empty)', '']));
});

describe('times on the page', () => {
  const now = Date.UTC(2026, 10, 23, 14, 0, 0);
  it('say how long a state lasts, which is not when the device last answered', () => {
    const lasting = (seconds: number) => formatFor(now - seconds * 1000, now);
    assert.deepEqual([-2, 0, 2640, 200_000].map(lasting), ['for 0 s', 'for 0 s', 'for 44 min', 'for 2 d']);
  });

  it('are relative to the present', () => {
    const ago = (seconds: number) => formatAgo(now - seconds * 1000, now);
    assert.deepEqual([0, 12, 200, 7200, 90_000, 200_000, -30].map(ago), [
      'now',
      '12 s ago',
      '3 min ago',
      '2 h ago',
      '25 h ago',
      '2 d ago',
      'in 30 s',
    ]);
  });
  it('are in the zone of the viewer, with the date on another day', () => {
    assert.equal(formatClock(now, now, 'Europe/Berlin'), '15:00:00');
    assert.equal(formatClock(now - 86_400_000, now, 'Europe/Berlin'), '22 Nov 2026 15:00:00');
  });
  it('are in UTC in the hover', () => assert.equal(formatUtc(now), '2026-11-23 14:00:00 UTC'));
  it('are named when they cannot be read', () => {
    assert.equal(formatUtc(Number.NaN), 'no time');
    assert.equal(formatClock(Number.NaN, now), 'no time');
  });
});

describe('reasons of missing values on the page', () => {
  it('have words for every reason that the collector knows', () => {
    for (const reason of gapReasons.slice(1)) {
      assert.doesNotMatch(explainGap(reason), /The value is missing:/, reason);
      assert.notEqual(shortGap(reason), '');
    }
  });
  it('show a reason of a newer collector as it is', () => {
    assert.deepEqual(
      [shortGap('martian'), explainGap('martian')],
      ['martian', 'The value is missing: martian.'],
    );
  });
  it('are trouble only where a person can do something', () => {
    assert.deepEqual([isTroublesome('timeout'), isTroublesome('noSuchObject')], [true, false]);
  });
});

describe('text of devices on the page', () => {
  it('stays as it is when it is harmless', () => assert.equal(makeSafe('Büro <b> 机房'), 'Büro <b> 机房'));
  it('shows characters that would change the direction of the text', () => {
    assert.equal(makeSafe('a\u202egnp.exe'), 'a⟨202E⟩gnp.exe');
    assert.equal(makeSafe('x\u2066y\u200b\u0000'), 'x⟨2066⟩y⟨200B⟩⟨0000⟩');
  });
  it('keeps one line', () => assert.equal(makeSafe('a\r\nb\tc'), 'a  b c'));
  it('is cut when it is long, without half a character', () => {
    assert.equal(makeSafe('x'.repeat(10_000)).length, 201);
    assert.equal(makeSafe('😀😀😀', 2), '😀😀…');
  });
});
