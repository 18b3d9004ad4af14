import { type GapReason, gapCode, gapReasons } from '../../src/index.ts';

/** Counters of polls, for one device or for all. */
export interface PollCounters {
  readonly polls: number;
  /** Polls without any value or label. */
  readonly failedPolls: number;
  readonly probes: number;
  /** Replies to polls. */
  readonly packets: number;
  /** Requests that were sent again because no reply came. */
  readonly retries: number;
  /** Varbinds that were received, with a value or an exception. */
  readonly varbinds: number;
  /** Values in records. */
  readonly values: number;
  /** Numbers and OIDs without a name in their enum. They are kept as they were read. */
  readonly unnamed: number;
  /** Slots skipped because the previous poll was still under way. */
  readonly overruns: number;
  /** Slots without a poll, because the process did not run, polling was paused, or this member was not sure of its devices. */
  readonly skippedSlots: number;
  readonly gaps: Readonly<Partial<Record<GapReason, number>>>;
}

/** The live counters: a few numbers per device. */
export class PollTally {
  polls = 0;
  failedPolls = 0;
  probes = 0;
  packets = 0;
  retries = 0;
  varbinds = 0;
  unnamed = 0;
  overruns = 0;
  skippedSlots = 0;
  /** By gap code. Index 0 counts the values. */
  readonly #counts = new Float64Array(gapReasons.length);

  addCounts(counts: Uint32Array): void {
    for (let code = 0; code < counts.length; code++) this.#counts[code]! += counts[code]!;
  }

  /** Counts values that were not requested because the device does not answer. */
  addDown(values: number): void {
    this.#counts[gapCode('down')]! += values;
  }

  /** Adds the counts of another tally. */
  add(other: PollTally): void {
    this.polls += other.polls;
    this.failedPolls += other.failedPolls;
    this.probes += other.probes;
    this.packets += other.packets;
    this.retries += other.retries;
    this.varbinds += other.varbinds;
    this.unnamed += other.unnamed;
    this.overruns += other.overruns;
    this.skippedSlots += other.skippedSlots;
    for (let code = 0; code < this.#counts.length; code++) this.#counts[code]! += other.#counts[code]!;
  }

  snapshot(): PollCounters {
    const { polls, failedPolls, probes, packets, retries, varbinds, unnamed, overruns, skippedSlots } = this;
    const values = this.#counts[0]!;
    return {
      polls,
      failedPolls,
      probes,
      packets,
      retries,
      varbinds,
      values,
      unnamed,
      overruns,
      skippedSlots,
      gaps: gapsOf(this.#counts),
    };
  }
}

/** By reason, without reasons that did not occur. */
export function gapsOf(counts: Uint32Array | Float64Array): PollCounters['gaps'] {
  const gaps: Partial<Record<GapReason, number>> = {};
  for (let code = 1; code < counts.length; code++) {
    if (counts[code]! > 0) gaps[gapReasons[code]!] = counts[code]!;
  }
  return gaps;
}
