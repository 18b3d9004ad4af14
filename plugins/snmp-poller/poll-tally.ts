import { type GapReason, gapCode, gapReasons } from '../../src/index.ts';

/** What polls have brought, of one device or of all. */
export interface PollCounters {
  readonly polls: number;
  /** Polls that brought no value at all. */
  readonly failedPolls: number;
  readonly probes: number;
  /** Replies to polls. */
  readonly packets: number;
  /** Requests that were sent again because no reply came. */
  readonly retries: number;
  /** Varbinds that came, with a value or with an exception. */
  readonly varbinds: number;
  /** In records. */
  readonly values: number;
  /** Numbers and OIDs that their enum has no name for, as they were read; they are kept as they are. */
  readonly unnamed: number;
  /** Slots left out because the poll before was still under way. */
  readonly overruns: number;
  /** Slots that went by while the process stood still. */
  readonly skippedSlots: number;
  readonly gaps: Readonly<Partial<Record<GapReason, number>>>;
}

/** The live counters; a few numbers a device. */
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
  /** By gap code; values at 0. */
  readonly #counts = new Float64Array(gapReasons.length);

  count(counts: Uint32Array): void {
    for (let code = 0; code < counts.length; code++) this.#counts[code]! += counts[code]!;
  }

  /** So many values were not asked for because the device does not answer. */
  countDown(values: number): void {
    this.#counts[gapCode('down')]! += values;
  }

  /** What another one has counted counts here too. */
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

/** By reason, without those that did not occur. */
export function gapsOf(counts: Uint32Array | Float64Array): PollCounters['gaps'] {
  const gaps: Partial<Record<GapReason, number>> = {};
  for (let code = 1; code < counts.length; code++) {
    if (counts[code]! > 0) gaps[gapReasons[code]!] = counts[code]!;
  }
  return gaps;
}
