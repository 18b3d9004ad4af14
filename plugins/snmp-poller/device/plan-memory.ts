import { rawTag } from '../../../src/internal.ts';
import type { PollColumns } from '../../../src/snmp/index.ts';
import type { DeviceTime } from '../counter/device-time.ts';
import { engineBootsSlot, type PollPlan, sysUpTimeSlot } from '../plan/poll-plan.ts';
import { RecordMemory } from '../record/record-memory.ts';

/** What one device remembers of one of its plans from poll to poll. */
export class PlanMemory {
  readonly plan: PollPlan;
  readonly records: readonly RecordMemory[];
  /** Labels polled at other intervals were read since the inventory is this one. */
  knowsForeign: boolean;
  /** What the last poll brought; the poll under way writes into others. */
  last: PollColumns | undefined = undefined;
  lastSlotMs = 0;

  /** `before` is the memory of the plan that this one replaces: its counters and latest records go on. */
  constructor(plan: PollPlan, before?: PlanMemory) {
    this.plan = plan;
    const known = new Map(before?.records.map((record) => [record.plan.record, record]));
    this.records = plan.records.map((record) => new RecordMemory(record, known.get(record.record)));
    this.knowsForeign = plan.labelRequests.length === 0;
  }

  /** Memory for a poll: numbers in new memory, for batches keep views of it; texts in the same as before. */
  begin(): PollColumns {
    const { slots, textSlots } = this.plan;
    const texts = this.last?.texts ?? new Array<string | undefined>(textSlots).fill(undefined);
    const memory = new ArrayBuffer(slots * (2 * Uint32Array.BYTES_PER_ELEMENT + 1));
    const words = new Uint32Array(memory, 0, 2 * slots);
    return { words, status: new Uint8Array(memory, words.byteLength, slots), texts };
  }

  /** The poll brought values: what it wrote is the last one now. */
  keep(columns: PollColumns, slotMs: number): void {
    this.last = columns;
    this.lastSlotMs = slotMs;
  }

  /** A poll by an older plan has ended: its counters are newer than those that were taken over. */
  inherit(older: PlanMemory): void {
    const known = new Map(older.records.map((record) => [record.plan.record, record]));
    for (const record of this.records) record.inherit(known.get(record.plan.record));
  }

  /** Labels of other intervals are read again with the next poll. */
  askForeign(): void {
    this.knowsForeign = this.plan.labelRequests.length === 0;
  }

  /** Labels of other intervals may be those of other rows now. */
  forgetForeign(): void {
    this.askForeign();
    for (const record of this.records) record.forgetForeign();
  }

  /** The rows of this record changed places: what was counted may have been another row's. */
  forgetNames(record: string): void {
    const own = this.records.filter(({ plan }) => plan.record === record);
    if (own.length === 0) return;
    this.forgetForeign();
    for (const memory of own) memory.counters = undefined;
  }

  /** When values were read, by the device's own clock where it told. */
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
