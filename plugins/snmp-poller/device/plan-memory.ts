import { rawTag } from '../../../src/definitions/index.ts';
import type { PollColumns } from '../../../src/snmp/index.ts';
import type { DeviceTime } from '../counter/device-time.ts';
import { engineBootsSlot, type PollPlan, sysUpTimeSlot } from '../plan/poll-plan.ts';
import type { MergedRows } from '../record/merge-records.ts';
import { RecordMemory } from '../record/record-memory.ts';
import { SensorMemory } from '../record/sensor-memory.ts';
import { AbsentValues } from './absent-values.ts';

/** What is remembered from poll to poll about one plan of one device. */
export class PlanMemory {
  readonly plan: PollPlan;
  readonly records: readonly RecordMemory[];
  readonly sensors: SensorMemory;
  /** The rows of batches that have several tables, by record. */
  readonly merged = new Map<string, MergedRows>();
  /** What the device has never had since its last discovery. */
  readonly absent: AbsentValues;
  /** Whether the labels that other plans poll were read since the inventory was replaced. */
  knowsForeign: boolean;
  /** The values of the last poll, in memory of their own where possible. A poll under way writes into other columns. */
  last: PollColumns | undefined = undefined;
  lastSlotMs = 0;
  lastDurationMs = 0;

  /** `before` is the memory of the plan that this plan replaces. Its counters and latest records are kept. */
  constructor(plan: PollPlan, before?: PlanMemory) {
    this.plan = plan;
    this.absent = new AbsentValues(plan);
    const known = new Map(before?.records.map((record) => [record.plan.table, record]));
    this.records = plan.records.map((record) => new RecordMemory(record, known.get(record.table)));
    this.sensors = new SensorMemory(plan, before?.sensors);
    this.knowsForeign = plan.labelRequests.length === 0;
    this.lastDurationMs = before?.lastDurationMs ?? 0;
  }

  /** Columns for a poll. Numbers get new memory, because batches keep views of it; texts reuse the previous list. */
  begin(): PollColumns {
    const { slots, textSlots } = this.plan;
    const texts = this.last?.texts ?? new Array<string | undefined>(textSlots).fill(undefined);
    return makeColumns(slots, texts);
  }

  get hasValues(): boolean {
    return this.last !== undefined;
  }

  /**
   * Keeps the values of a poll that returned some. They are copied to where those of the poll before were, so that the memory of a poll is
   * free when the outputs are done with its batches, in a cheap collection of young garbage. Kept until the next poll it would be
   * old garbage, of which there are up to 64 MiB before V8 looks for it. `areHeld`: the batches themselves are kept, and with them that memory.
   */
  keep(columns: PollColumns, slotMs: number, areHeld: boolean): void {
    this.lastSlotMs = slotMs;
    if (areHeld) {
      this.last = columns;
      return;
    }
    const kept = this.last ?? makeColumns(this.plan.slots, columns.texts);
    for (const record of this.records) record.moveCounters(columns, kept);
    kept.words.set(columns.words);
    kept.status.set(columns.status);
    this.last = kept;
  }

  /** Takes over the counters of a poll by an older plan that ended after this plan replaced it. */
  inherit(older: PlanMemory): void {
    const known = new Map(older.records.map((record) => [record.plan.table, record]));
    for (const record of this.records) record.inherit(known.get(record.plan.table));
    this.sensors.latest = older.sensors.latest ?? this.sensors.latest;
  }

  /** Makes the next poll read the labels that other plans poll. */
  rereadForeign(): void {
    this.knowsForeign = this.plan.labelRequests.length === 0;
  }

  /** Forgets the labels that other plans poll, because they may belong to other rows now. */
  forgetForeign(): void {
    this.rereadForeign();
    for (const record of this.records) record.forgetForeign();
    this.sensors.forget();
  }

  /** Forgets the counters of a record whose rows moved, because they may be those of another row. */
  forgetNames(record: string): void {
    const own = this.records.filter(({ plan }) => plan.record === record);
    if (own.length === 0) return;
    this.forgetForeign();
    for (const memory of own) memory.counters = undefined;
  }

  /** When values were read, with the device's own clock where the poll returned it. */
  timeOf({ words, status }: PollColumns, localMs: number): DeviceTime {
    const hasUpTime = status[sysUpTimeSlot] === rawTag.timeTicks;
    const hasBoots = this.plan.readsBoots && status[engineBootsSlot] === rawTag.integer;
    return {
      localMs,
      upTicks: hasUpTime ? words[2 * sysUpTimeSlot] : undefined,
      boots: hasBoots ? words[2 * engineBootsSlot] : undefined,
    };
  }
}

function makeColumns(slots: number, texts: PollColumns['texts']): PollColumns {
  const memory = new ArrayBuffer(slots * (2 * Uint32Array.BYTES_PER_ELEMENT + 1));
  const words = new Uint32Array(memory, 0, 2 * slots);
  return { words, status: new Uint8Array(memory, words.byteLength, slots), texts };
}
