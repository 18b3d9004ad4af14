import type { Oid } from '../../../src/index.ts';
import { berTag, type CompiledRequest, holdsValue, type PollColumns } from '../../../src/snmp/index.ts';
import { engineBootsSlot, type PollPlan, sysUpTimeSlot } from '../plan/poll-plan.ts';
import { phaseMsOf } from '../slot-schedule.ts';

/** A value counts as absent after this many complete polls in which the device had none. */
const provenAfter = 3;
/** Every so many polls, absent values are asked for again. */
export const askAgainEvery = 20;
/** They are asked for again within this time, however long the interval is. */
const maxAbsentMs = 3_600_000;

/** Consecutive slots without a value, and the exception with which the device answered. */
interface Run {
  readonly from: number;
  to: number;
  readonly mark: number;
}

/**
 * The values of a plan that the device has never had since its last discovery: columns that a table has nowhere, sensors without a
 * value. Polls leave them out. They are asked for again every 20 polls, within an hour, and after a discovery.
 */
export class AbsentValues {
  readonly #plan: PollPlan;
  #runs: readonly Run[] = [];
  /** The complete polls that asked for everything, up to the number that is enough. */
  #proofs = 0;
  #polls = 0;
  /** The requests without the absent values; undefined while all are sent. */
  #reduced: readonly CompiledRequest[] | undefined = undefined;
  #isReduced = false;
  /** When the last poll began, and the last one that asked for everything. */
  #begunMs = 0;
  #askedMs = 0;
  #isForgotten = false;

  constructor(plan: PollPlan) {
    this.#plan = plan;
  }

  /** Whether most polls leave out this value. */
  hasOid(oid: Oid): boolean {
    if (this.#reduced === undefined) return false;
    return this.#plan.reads.some(({ columns, instances, firstSlot }) => {
      const column = columns.findIndex((each) => oid.startsWith(`${each}.`));
      const row = column < 0 ? -1 : instances.indexOf(oid.slice(columns[column]!.length + 1));
      return row >= 0 && this.#find(firstSlot + column * instances.length + row) !== undefined;
    });
  }

  /** Whether the poll that has begun leaves out this slot. */
  isLeftOut(slot: number): boolean {
    return this.#isReduced && this.#find(slot) !== undefined;
  }

  /**
   * The requests of the poll that begins now, by a monotonic clock. Devices are asked for absent values in different polls, by their
   * names.
   */
  begin(device: string, nowMs: number): readonly CompiledRequest[] {
    if (this.#isForgotten) this.#clear();
    const sinceMs = nowMs - this.#begunMs;
    this.#begunMs = nowMs;
    const isTurn = (++this.#polls + Math.floor(phaseMsOf(device, askAgainEvery))) % askAgainEvery === 0;
    // The next poll may be as far away as the last one.
    const isLate = nowMs + sinceMs - this.#askedMs > maxAbsentMs;
    this.#isReduced = this.#reduced !== undefined && !isTurn && !isLate;
    if (!this.#isReduced) this.#askedMs = nowMs;
    return this.#isReduced ? this.#reduced! : this.#plan.requests;
  }

  /** Learns from a poll. What it left out gets the status from before, or that of a device that did not answer. */
  end(
    { status }: PollColumns,
    { replies, failure }: { readonly replies: number; readonly failure: unknown },
  ): void {
    if (this.#isReduced) {
      for (const { from, to, mark } of this.#runs)
        status.fill(replies === 0 ? status[sysUpTimeSlot]! : mark, from, to);
      return;
    }
    const isKnown = this.#proofs > 0;
    const isComplete = failure === undefined;
    if (!isKnown && !isComplete) return;
    const slots = isKnown ? this.#runs : [{ from: 0, to: status.length, mark: 0 }];
    const before = countOf(this.#runs);
    this.#runs = runsOf(slots, status, (slot) => {
      if (isException(status[slot]!)) return !this.#isNeeded(slot);
      return isKnown && !isComplete && !holdsValue(status[slot]!);
    });
    if (isComplete && this.#proofs < provenAfter) this.#proofs++;
    if (this.#proofs < provenAfter || (this.#reduced !== undefined && countOf(this.#runs) === before)) return;
    const isAbsent = (slot: number) => this.#find(slot) !== undefined;
    this.#reduced =
      this.#runs.length === 0 ? undefined : this.#plan.requests.flatMap((each) => each.leaveOut(isAbsent));
  }

  /** A discovery has ended: everything is asked for again from the next poll on. One that is under way ends as it began. */
  forget(): void {
    this.#isForgotten = true;
  }

  #clear(): void {
    this.#isForgotten = false;
    this.#runs = [];
    this.#proofs = 0;
    this.#reduced = undefined;
    this.#isReduced = false;
  }

  /** The clock of the device, and what starts a discovery. */
  #isNeeded(slot: number): boolean {
    if (slot === sysUpTimeSlot || slot === engineBootsSlot) return true;
    return this.#plan.watches.some(
      ({ firstSlot, instances }) => slot >= firstSlot && slot < firstSlot + instances.length,
    );
  }

  #find(slot: number): Run | undefined {
    let low = 0;
    let high = this.#runs.length;
    while (low < high) {
      const middle = (low + high) >>> 1;
      if (this.#runs[middle]!.to <= slot) low = middle + 1;
      else high = middle;
    }
    const run = this.#runs[low];
    return run !== undefined && run.from <= slot ? run : undefined;
  }
}

function runsOf(within: readonly Run[], status: Uint8Array, isAbsent: (slot: number) => boolean): Run[] {
  const runs: Run[] = [];
  for (const { from, to, mark: before } of within) {
    for (let slot = from; slot < to; slot++) {
      if (!isAbsent(slot)) continue;
      const mark = isException(status[slot]!) ? status[slot]! : before;
      const last = runs.at(-1);
      if (last?.to === slot && last.mark === mark) last.to++;
      else runs.push({ from: slot, to: slot + 1, mark });
    }
  }
  return runs;
}

function countOf(runs: readonly Run[]): number {
  return runs.reduce((sum, { from, to }) => sum + to - from, 0);
}

function isException(status: number): boolean {
  return status >= berTag.noSuchObject && status <= berTag.endOfMibView;
}
