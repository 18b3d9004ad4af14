import { setMaxListeners } from 'node:events';
import { setImmediate } from 'node:timers/promises';
import type { ScanCause, ScanCounts, ScanRef } from '../../../src/index.ts';
import { runInWindow } from '../../../src/internal.ts';
import type { ScanPlan } from '../plan/plan-scan.ts';
import { addressesOf, type Candidate } from '../plan/segments.ts';
import type { ProbeResult } from './probe-address.ts';

export interface ScanTools {
  /** Whether this address and port are a device that the files or the API hold: it is not asked. */
  isKnown(candidate: Candidate): boolean;
  probe(candidate: Candidate, signal: AbortSignal): Promise<ProbeResult>;
  /** Takes in who answered; true when it was no device before. */
  welcome(candidate: Candidate, answer: ProbeResult & { readonly answered: true }): boolean;
  /** Whether a device was found there earlier. */
  isFound(candidate: Candidate): boolean;
  /** Notes that a found device was silent for a whole scan; true when it is given up. */
  miss(candidate: Candidate): boolean;
  /** Nobody answered at all: the fault is likely nearer than the devices, and none of them is missed. */
  excuse(silent: number): void;
  readonly maxInFlight: number;
}

/** Known addresses cost no packet and no time: the loop turns after so many of them. */
const knownATurn = 500;

/** One scan: its addresses one after the other, so many at once. It holds those that are asked now, and devices that fell silent. */
export class Scan {
  readonly id: string;
  readonly cause: ScanCause;
  readonly networks: readonly string[];
  readonly requestedMs: number;
  readonly abort = new AbortController();
  readonly #plan: ScanPlan;
  /** Found earlier, and without an answer now. */
  readonly #silent: Candidate[] = [];
  readonly #counts: { -readonly [Name in keyof ScanCounts]: number };

  constructor(ref: ScanRef, plan: ScanPlan, requestedMs: number) {
    this.id = ref.id;
    this.cause = ref.cause;
    this.networks = ref.networks;
    this.requestedMs = requestedMs;
    this.#plan = plan;
    // Every address that is asked listens.
    setMaxListeners(0, this.abort.signal);
    this.#counts = {
      addresses: plan.addresses,
      visited: 0,
      known: 0,
      answered: 0,
      found: 0,
      refused: 0,
      silent: 0,
      removed: 0,
    };
  }

  get ref(): ScanRef {
    return { id: this.id, cause: this.cause, networks: this.networks };
  }

  get counts(): ScanCounts {
    return { ...this.#counts };
  }

  get problems(): ScanPlan['problems'] {
    return this.#plan.problems;
  }

  /** Rejects with the abort's reason, or with what nobody expected; what was found stays. */
  async run(tools: ScanTools, onVisit: () => void): Promise<void> {
    const { signal } = this.abort;
    await runInWindow(addressesOf(this.#plan.segments), tools.maxInFlight, async (candidate) => {
      signal.throwIfAborted();
      await this.#visit(candidate, tools);
      this.#counts.visited++;
      onVisit();
    });
    signal.throwIfAborted();
    this.#settle(tools);
  }

  async #visit(candidate: Candidate, tools: ScanTools): Promise<void> {
    const counts = this.#counts;
    if (tools.isKnown(candidate)) {
      if (++counts.known % knownATurn === 0) await setImmediate();
      return;
    }
    const result = await tools.probe(candidate, this.abort.signal);
    if (result.answered) {
      counts.answered++;
      if (tools.welcome(candidate, result)) counts.found++;
      return;
    }
    if (result.refused) counts.refused++;
    if (!result.asked || !tools.isFound(candidate)) return;
    counts.silent++;
    this.#silent.push(candidate);
  }

  #settle(tools: ScanTools): void {
    const { answered, silent } = this.#counts;
    if (answered === 0 && silent > 0) tools.excuse(silent);
    else for (const candidate of this.#silent) if (tools.miss(candidate)) this.#counts.removed++;
  }
}
