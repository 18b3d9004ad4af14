import { setMaxListeners } from 'node:events';
import { setImmediate } from 'node:timers/promises';
import type { ScanCause, ScanCounts, ScanRef } from '../../src/index.ts';
import { runInWindow } from '../../src/internal.ts';
import { addressesOf, type Candidate } from './address-segments.ts';
import type { ScanPlan } from './plan-scan.ts';
import type { ProbeResult } from './probe-address.ts';

export interface ScanSteps {
  /** Whether a device of the definition files or of the API has this address and port. Such an address is not asked. */
  isKnown(candidate: Candidate): boolean;
  probe(candidate: Candidate, signal: AbortSignal): Promise<ProbeResult>;
  /** Adds a device at an address that answered. Returns true when there was none before. */
  addDevice(candidate: Candidate, answer: ProbeResult & { readonly answered: true }): boolean;
  /** Whether an earlier scan found a device there. */
  isFound(candidate: Candidate): boolean;
  /** Counts a scan during which a found device was silent. Returns true when the device is removed. */
  countSilence(candidate: Candidate): boolean;
  /** Called when no address answered at all. The collector's own network is likely at fault, so no silence is counted. */
  reportNoAnswer(silent: number): void;
  readonly maxInFlight: number;
}

/** Known addresses are skipped without waiting for a packet: after this many, other work gets a turn. */
const knownPerTurn = 500;

/** One scan. Keeps only the addresses in flight and the found devices that are silent, however large the networks are. */
export class Scan {
  readonly id: string;
  readonly cause: ScanCause;
  readonly networks: readonly string[];
  readonly requestedMs: number;
  readonly abort = new AbortController();
  readonly #plan: ScanPlan;
  /** Addresses of found devices that do not answer this scan. */
  readonly #silent: Candidate[] = [];
  readonly #counts: { -readonly [Name in keyof ScanCounts]: number };

  constructor(ref: ScanRef, plan: ScanPlan, requestedMs: number) {
    this.id = ref.id;
    this.cause = ref.cause;
    this.networks = ref.networks;
    this.requestedMs = requestedMs;
    this.#plan = plan;
    // Each probe in flight adds a listener.
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

  /** Rejects with the reason of the abort, or with an unexpected error. Devices found until then stay. */
  async run(tools: ScanSteps, onVisit: () => void): Promise<void> {
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

  async #visit(candidate: Candidate, tools: ScanSteps): Promise<void> {
    const counts = this.#counts;
    if (tools.isKnown(candidate)) {
      if (++counts.known % knownPerTurn === 0) await setImmediate();
      return;
    }
    const result = await tools.probe(candidate, this.abort.signal);
    if (result.answered) {
      counts.answered++;
      if (tools.addDevice(candidate, result)) counts.found++;
      return;
    }
    if (result.refused) counts.refused++;
    if (!result.asked || !tools.isFound(candidate)) return;
    counts.silent++;
    this.#silent.push(candidate);
  }

  #settle(tools: ScanSteps): void {
    const { answered, silent } = this.#counts;
    if (answered === 0 && silent > 0) tools.reportNoAnswer(silent);
    else for (const candidate of this.#silent) if (tools.countSilence(candidate)) this.#counts.removed++;
  }
}
