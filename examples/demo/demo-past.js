// @ts-check
import { definePlugin, pipelineToken } from 'waywiser';
import { historyToken } from 'waywiser/plugins/history';
import { devices } from './devices.js';
import { indexOf } from './made-up-values.js';

const stepMs = 30_000;
const steps = 120;

/**
 * @typedef {import('waywiser').Batch} Batch
 * @typedef {import('waywiser').Column} Column
 * @typedef {{ nowMs: number, agoMs: number }} Time
 */

export default definePlugin({
  name: 'demo-past',
  kind: 'processor',
  summary: 'Makes up the hour before the first start, so that the first graph is not empty.',
  needs: { pipeline: pipelineToken, history: historyToken },
  start({ name, needs: { pipeline, history }, onStop }) {
    // What a former start polled, or made up, stays as it is.
    if (history.state.tiers.some(({ fromMs }) => fromMs !== undefined)) return;
    const seen = new Set();
    /** The first poll of all, so that the past of every device ends at the same time. */
    let endMs = 0;
    const invent = (/** @type {Batch} */ batch) => {
      const key = `${batch.device.port} ${batch.record} ${batch.plan}`;
      endMs ||= batch.timeMs;
      if (batch.kind === undefined && !seen.has(key)) history.addMadeUp(pastOf(batch, endMs));
      seen.add(key);
      return batch;
    };
    onStop(pipeline.addProcessor(name, invent));
  },
});

/**
 * The polls before the first one of a record. What does not move was always as it is.
 * @param {Batch} first
 * @param {number} endMs
 */
function pastOf(first, endMs) {
  const { device, timeMs: nowMs } = first;
  const { moving = [], isSilent = false } = devices.find(({ port }) => port === device.port) ?? {};
  return Array.from({ length: steps }, (_, i) => {
    const timeMs = endMs - (steps - i) * stepMs;
    const agoMs = nowMs - timeMs;
    const columns = first.columns.map((column) => {
      if (column.field === 'poll.duration' && !isSilent) return durationOf(column, timeMs, device.port);
      const moves = moving.find(({ field }) => field === column.field)?.moves;
      return moves === undefined ? column : columnBefore(column, moves, first.rows, { nowMs, agoMs });
    });
    return { ...first, timeMs, slotMs: timeMs, intervalMs: stepMs, columns };
  });
}

/**
 * How long the polls took: the first batch does not have it yet.
 * @param {Column} column
 * @param {number} timeMs
 * @param {number} phase
 * @returns {Column}
 */
function durationOf(column, timeMs, phase) {
  const seconds =
    0.004 + 0.002 * Math.sin(timeMs / 300_000 + phase) + 0.001 * Math.sin(timeMs / 70_000 + 2 * phase);
  return { ...column, kind: 'number', values: Float64Array.of(seconds), gaps: undefined };
}

/**
 * @param {Column} column
 * @param {import('./made-up-values.js').Movement} moves
 * @param {import('waywiser').Rows} rows
 * @param {Time} time
 * @returns {Column}
 */
function columnBefore(column, moves, { keys, labels }, time) {
  const indexes = keys.map((key, row) => indexOf(labels['netif.index']?.[row] ?? key));
  if (column.kind === 'number') {
    const values = column.values.map((value, row) =>
      Number(moves.before(value, { ...time, index: indexes[row] ?? 0 })),
    );
    return { ...column, values };
  }
  if (column.kind !== 'counter') return column;
  const words = new Uint32Array(column.words.length);
  for (const [row, index] of indexes.entries()) {
    const now = (BigInt(column.words[2 * row + 1] ?? 0) << 32n) | BigInt(column.words[2 * row] ?? 0);
    const before = BigInt(moves.before(now, { ...time, index }));
    // A counter below 2^32 may have 32 bits: it wraps there.
    const wrapped = BigInt.asUintN(now < 2n ** 32n ? 32 : 64, before);
    words[2 * row] = Number(wrapped & 0xffffffffn);
    words[2 * row + 1] = Number(wrapped >> 32n);
  }
  return { ...column, words };
}
