import {
  type Column,
  type DeviceIdentity,
  deviceKey,
  gapCode,
  type NumberColumn,
} from '../../../../src/index.ts';
import { ExpiringMap, type TrackedBatch } from '../../../../src/output-kit/index.ts';
import { type CounterCells, createCells, isCounter, partsAt, realignCells } from './counter-cells.ts';

export type Temporality = 'cumulative' | 'delta';

/** A batch with the start times of its counters. */
export interface TimedBatch extends TrackedBatch {
  /** By field, then by the place of the row key in `places`: milliseconds since 1970. */
  readonly startsMs: ReadonlyMap<string, Float64Array>;
  readonly places: ReadonlyMap<string, number>;
}

interface PlanCounters {
  keys: readonly string[];
  places: ReadonlyMap<string, number>;
  readonly cells: Map<string, CounterCells>;
}

/** Polls may be a day apart. */
const keepMs = 25 * 3_600_000;

const [unseeded, reset] = [gapCode('unseeded'), gapCode('reset')];

/**
 * Follows counters from poll to poll: when each one started, and for delta its increase since the last value. A counter starts with its
 * agent, or with its first value if the start of the agent is not known. A counter that has decreased started again after its last value.
 */
export class CounterTimes {
  readonly #temporality: Temporality;
  readonly #now: () => number;
  /** By device, then by record and plan. */
  readonly #devices: ExpiringMap<ExpiringMap<PlanCounters>>;

  constructor(temporality: Temporality, now: () => number = Date.now) {
    this.#temporality = temporality;
    this.#now = now;
    this.#devices = new ExpiringMap(keepMs, now);
  }

  /** Call it once per batch, in order. */
  follow(batch: TrackedBatch): TimedBatch {
    const plan = batch.ends ? this.#findPlan(batch) : this.#getPlan(batch);
    if (plan === undefined) return { ...batch, startsMs: new Map(), places: new Map() };
    const columns = batch.columns.map((column) =>
      isCounter(column) && !batch.ends ? this.#followColumn(plan, batch, column) : column,
    );
    const startsMs = new Map([...plan.cells].map(([field, cells]) => [field, cells.startsMs]));
    return { ...batch, columns, startsMs, places: plan.places };
  }

  forget(device: DeviceIdentity): void {
    this.#devices.delete(deviceKey(device));
  }

  #findPlan({ device, record, plan }: TrackedBatch): PlanCounters | undefined {
    return this.#devices.get(deviceKey(device))?.get(`${record}\n${plan}`);
  }

  #getPlan({ device, record, plan: name, rows }: TrackedBatch): PlanCounters {
    const plans = this.#devices.get(deviceKey(device)) ?? new ExpiringMap<PlanCounters>(keepMs, this.#now);
    this.#devices.set(deviceKey(device), plans);
    const plan = plans.get(`${record}\n${name}`) ?? { keys: [], places: new Map(), cells: new Map() };
    plans.set(`${record}\n${name}`, plan);
    if (plan.keys !== rows.keys) {
      const before = plan.places;
      for (const [field, cells] of plan.cells) plan.cells.set(field, realignCells(cells, rows.keys, before));
      plan.keys = rows.keys;
      plan.places = new Map(rows.keys.map((row, place) => [row, place]));
    }
    return plan;
  }

  #followColumn(plan: PlanCounters, batch: TrackedBatch, column: Column): Column {
    const { count } = batch.rows;
    let cells = plan.cells.get(column.field) ?? createCells(count);
    const copyStarts = () => {
      cells = { ...cells, startsMs: cells.startsMs.slice() };
    };
    const isDelta = this.#temporality === 'delta';
    const deltas = isDelta ? new Float64Array(count) : undefined;
    const gaps = isDelta ? (column.gaps?.slice() ?? new Uint8Array(count)) : undefined;
    let hasCopied = false;
    for (let row = 0; row < count; row++) {
      if (column.gaps !== undefined && column.gaps[row] !== 0) continue;
      if (batch.slotMs <= cells.slotsMs[row]!) {
        // A repeated value was added the first time.
        if (gaps !== undefined) gaps[row] = unseeded;
        continue;
      }
      const [high, low] = partsAt(column, row);
      const startMs = isDelta ? cells.slotsMs[row]! : startOf(cells, row, high, low, batch);
      if (!Object.is(startMs, cells.startsMs[row])) {
        if (!hasCopied) copyStarts();
        hasCopied = true;
        cells.startsMs[row] = startMs;
      }
      if (deltas !== undefined && gaps !== undefined) {
        const added = (high - cells.high[row]!) * 0x1_0000_0000 + (low - cells.low[row]!);
        if (Number.isNaN(startMs)) gaps[row] = unseeded;
        else if (added < 0) gaps[row] = reset;
        else deltas[row] = added;
      }
      cells.high[row] = high;
      cells.low[row] = low;
      cells.slotsMs[row] = batch.slotMs;
    }
    plan.cells.set(column.field, cells);
    return deltas === undefined ? column : deltaColumn(column, deltas, gaps);
  }
}

function startOf(cells: CounterCells, row: number, high: number, low: number, batch: TrackedBatch): number {
  const { slotMs, startedMs } = batch;
  const [lastMs, startMs] = [cells.slotsMs[row]!, cells.startsMs[row]!];
  const agentMs = startedMs !== undefined && startedMs <= slotMs ? startedMs : undefined;
  if (Number.isNaN(lastMs)) return agentMs ?? slotMs;
  if (agentMs !== undefined && agentMs > lastMs) return agentMs;
  const hasFallen = high < cells.high[row]! || (high === cells.high[row] && low < cells.low[row]!);
  return hasFallen ? lastMs : startMs;
}

function deltaColumn(
  { field, metric, unit }: Column,
  values: Float64Array,
  gaps: Uint8Array | undefined,
): NumberColumn {
  return { kind: 'number', field, metric: metric!, ...(unit === undefined ? {} : { unit }), values, gaps };
}
