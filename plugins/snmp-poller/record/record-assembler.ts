import { type Batch, type Column, gapCode, gapReasons } from '../../../src/index.ts';
import type { PollColumns } from '../../../src/snmp/index.ts';
import { createSubtraction } from '../counter/subtract-counters.ts';
import type { RecordPlan } from '../plan/poll-plan.ts';
import { SensorAssembler } from './assemble-sensors.ts';
import type { AssembledRecord, FinishedPoll } from './assembled-record.ts';
import { settleWords } from './complete-pool.ts';
import { type CounterColumns, CounterComparison } from './counter-comparison.ts';
import { ColumnReader, type GapTally } from './read-columns.ts';
import { type LatestRecord, RecordMemory } from './record-memory.ts';
import { RowRefresher } from './refresh-rows.ts';
import type { SensorMemory } from './sensor-memory.ts';
import { NumberSlab, SourceReader } from './source-reader.ts';

/** In longer tables each column is read in a step of its own, between other work. */
const maxRowsPerStep = 256;

/** Makes batches from the values of polls. One instance serves all devices: everything lasting is in the memories. */
export class RecordAssembler {
  readonly #wanted: CounterColumns;
  readonly #reader = new SourceReader();
  readonly #columns = new ColumnReader(this.#reader);
  readonly #rows = new RowRefresher(this.#reader);
  readonly #sensors = new SensorAssembler(this.#reader);
  readonly #subtract = createSubtraction();

  constructor(wanted: CounterColumns) {
    this.#wanted = wanted;
  }

  /** Adds values to `counts[0]` and gaps at their codes. It works in steps, because tables may be long. */
  *assemble(memory: RecordMemory, poll: FinishedPoll, counts: GapTally): Generator<void, AssembledRecord> {
    const { plan } = memory;
    const { raw, delta, rate } = this.#wanted;
    const derived = plan.counters * (Number(delta) + Number(rate));
    const slab = new NumberSlab((plan.columns.length - plan.counters + derived) * plan.instances.length);
    const tools = { slab, names: poll.names };
    const rows = yield* this.#rows.refresh(memory, poll.columns, poll.readsForeign, tools);
    const { words, status } = poll.columns;
    const counters = { plan, keys: rows.keys, words, status, at: poll.at };
    const comparison = new CounterComparison(memory.counters, counters, this.#subtract);
    let values = 0;
    const columns: Column[] = [];
    const isLong = plan.instances.length > maxRowsPerStep;
    for (let position = 0; position < plan.columns.length; position++) {
      if (isLong) yield;
      const column = plan.columns[position]!;
      const before = counts[0]!;
      const read = this.#columns.read(column, position, memory, poll.columns, counts, tools);
      if (read !== undefined && (raw || !column.isCounter)) columns.push(read);
      if (column.isCounter && (delta || rate)) comparison.derive(column, this.#wanted, slab, columns);
      values += counts[0]! - before;
    }
    if (values > 0) {
      memory.counters = counters;
      counts[gapCode('decode')]! += plan.undecoded;
    }
    return { record: plan.record, rows, columns: this.#settle(plan, columns) };
  }

  /** The record `sensor`; undefined when there is none. Counts as `assemble`. */
  assembleSensors(
    memory: SensorMemory,
    poll: FinishedPoll,
    counts: GapTally,
  ): Generator<void, AssembledRecord | undefined> {
    return this.#sensors.assemble(memory, poll, counts);
  }

  #settle({ rowIds, pool, instances }: RecordPlan, columns: Column[]): Column[] {
    return rowIds === undefined ? columns : settleWords(columns, pool, instances.length);
  }

  /** Whether `keep` holds batches with their columns. */
  get holdsBatches(): boolean {
    return this.#wanted.delta || this.#wanted.rate;
  }

  /**
   * Keeps a batch for later questions without its columns: they are as large as the values of the poll, which are kept for the next
   * difference, so they are read from these again. Differences cannot be read again; a batch with such columns is kept as it is.
   */
  keep(batch: Batch, plan: RecordPlan, values: PollColumns): LatestRecord {
    if (this.holdsBatches) return this.keepWhole(batch);
    // Spelled out: an object that is made by spreading another one has a hidden class of its own.
    const head: Omit<Batch, 'columns'> = {
      device: batch.device,
      tags: batch.tags,
      record: batch.record,
      plan: batch.plan,
      generation: batch.generation,
      sequence: batch.sequence,
      slotMs: batch.slotMs,
      timeMs: batch.timeMs,
      intervalMs: batch.intervalMs,
      startedMs: batch.startedMs,
      mib: batch.mib,
      rows: batch.rows,
    };
    return () => ({ ...head, columns: this.#readAgain(plan, values) });
  }

  /** A function of its own: a closure beside another one would keep what that one uses, too. */
  keepWhole(batch: Batch): LatestRecord {
    return () => batch;
  }

  #readAgain(plan: RecordPlan, values: PollColumns): Column[] {
    const memory = new RecordMemory(plan);
    const counts = new Uint32Array(gapReasons.length);
    const tools = {
      slab: new NumberSlab(plan.columns.length * plan.instances.length),
      names: { unnamed: 0 },
    };
    const columns = plan.columns.flatMap((column, position) => {
      if (column.isCounter && !this.#wanted.raw) return [];
      const read = this.#columns.read(column, position, memory, values, counts, tools);
      return read === undefined ? [] : detach(read, values);
    });
    return this.#settle(plan, columns);
  }
}

/** The next poll writes to where these values are. */
function detach(column: Column, { words }: PollColumns): Column {
  const isView = column.kind === 'counter' && column.words.buffer === words.buffer;
  return isView ? { ...column, words: column.words.slice() } : column;
}
