// @ts-check

/**
 * How a value moves: `at` is its value at the device now, `before` what it was some time ago, from what it is now. `index` is the last
 * part of the OID.
 * @typedef {import('waywiser/testing').ValueFunction} ValueFunction
 * @typedef {{ nowMs: number, agoMs: number, index: number }} Past
 * @typedef {{ at: ValueFunction, before: (value: number | bigint, past: Past) => number | bigint }} Movement
 */

/** Each swing of a rate: its share of the rate, and its period. Together they look like traffic, and their integral is exact. */
const swings = [
  { share: 0.3, periodMs: 41 * 60_000 },
  { share: 0.2, periodMs: 13 * 60_000 },
  { share: 0.15, periodMs: 4 * 60_000 },
  { share: 0.12, periodMs: 71_000 },
  { share: 0.08, periodMs: 23_000 },
];

/** The ports of the switch that are down. */
const unused = new Set([7, 8, 9, 10]);

/**
 * A counter of traffic. Every interface has a share of its own of the rate, and busy times of its own.
 * @param {number} perSecond of the busiest interface, on average
 * @param {readonly number[]} idle interfaces that are down
 * @returns {Movement}
 */
export function traffic(perSecond, idle) {
  return counter((fromMs, toMs, index) => {
    if (idle.includes(index)) return 0;
    const rate = unused.has(index) ? 0 : (perSecond * (1 + ((index * 7) % 10))) / 10;
    const grown = swings.reduce((sum, { share, periodMs }, i) => {
      const angle = (/** @type {number} */ ms) =>
        ((ms % periodMs) / periodMs) * 2 * Math.PI + index * (i + 1);
      const swung = Math.cos(angle(fromMs)) - Math.cos(angle(toMs));
      return sum + ((share * periodMs) / (2 * Math.PI)) * swung;
    }, toMs - fromMs);
    return (rate * grown) / 1000;
  });
}

/**
 * A counter with an even rate.
 * @param {number} perSecond
 */
export function steady(perSecond) {
  return counter((fromMs, toMs) => (perSecond * (toMs - fromMs)) / 1000);
}

/**
 * A gauge that swings around its recorded value. A negative one is a code and stays.
 * @param {number} share how far it swings, of the value
 * @returns {Movement}
 */
export function swinging(share) {
  const factor = (/** @type {number} */ ms, /** @type {number} */ index) =>
    1 + share * (0.6 * Math.sin(ms / 480_000 + index) + 0.4 * Math.sin(ms / 47_000 + 2 * index));
  return {
    at({ start, nowMs, oid }) {
      const value = Number(start);
      return value > 0 ? Math.round(value * factor(nowMs, indexOf(oid))) : value;
    },
    before(value, { nowMs, agoMs, index }) {
      const now = Number(value);
      return now > 0 ? (now * factor(nowMs - agoMs, index)) / factor(nowMs, index) : now;
    },
  };
}

/**
 * @param {(fromMs: number, toMs: number, index: number) => number} grow what the counter grows by
 * @returns {Movement}
 */
function counter(grow) {
  return {
    at: ({ start, nowMs, elapsedMs, oid }) =>
      (typeof start === 'object' ? 0n : BigInt(start)) + whole(grow(nowMs - elapsedMs, nowMs, indexOf(oid))),
    before: (value, { nowMs, agoMs, index }) => BigInt(value) - whole(grow(nowMs - agoMs, nowMs, index)),
  };
}

/** @param {number} number */
function whole(number) {
  return BigInt(Math.floor(number));
}

/**
 * The last part of an OID, or of the key of a row.
 * @param {string} oid
 */
export function indexOf(oid) {
  return Number(/\d+$/.exec(oid)?.[0] ?? 0);
}
