import { setMaxListeners } from 'node:events';
import { setImmediate } from 'node:timers/promises';
import type { ScanCause, ScanCounts, ScanRef } from '../../src/index.ts';
import { runInWindow } from '../../src/timing/index.ts';
import { addressesOf, type Candidate } from './address-segments.ts';
import type { ScanPlan } from './plan-scan.ts';
import type { ProbeResult } from './probe-address.ts';

export interface ScanSteps {
  /** Whether a device of the definition files or of the API has this address and port. Such an address is not asked. */
  isKnown(candidate: Candidate): boolean;
  /** Asks an address until it answers, the signal aborts, or it is not wanted any more. */
  probe(candidate: Candidate, signal: AbortSignal, isWanted: () => boolean): Promise<ProbeResult>;
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

/** Some addresses are skipped without waiting for a packet: after this many, other work gets a turn. */
const skippedPerTurn = 500;

/** One scan. Keeps only the addresses in flight and the found devices that are silent, however large the networks are. */
export class Scan {
  readonly id: string;
  readonly cause: ScanCause;
  readonly requestedMs: number;
  readonly abort = new AbortController();
  readonly #plan: ScanPlan;
  readonly #networks: Set<string>;
  /** Addresses that are asked at this moment. */
  readonly #visits = new Map<Candidate, Promise<void>>();
  /** Addresses of found devices that do not answer this scan. */
  readonly #silent: Candidate[] = [];
  readonly #counts: { -readonly [Name in keyof ScanCounts]: number };

  constructor(ref: ScanRef, plan: ScanPlan, requestedMs: number) {
    this.id = ref.id;
    this.cause = ref.cause;
    this.#networks = new Set(ref.networks);
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

  get networks(): readonly string[] {
    return [...this.#networks];
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

  /** Leaves these networks out from now on. Resolves when none of their addresses is asked any more. */
  async drop(networks: readonly string[]): Promise<void> {
    for (const network of networks) this.#networks.delete(network);
    const unwanted = [...this.#visits].filter(([candidate]) => !this.#isWanted(candidate));
    await Promise.allSettled(unwanted.map(([, visit]) => visit));
  }

  /** Rejects with the reason of the abort, or with an unexpected error. Devices found until then stay. */
  async run(tools: ScanSteps, onVisit: () => void): Promise<void> {
    const { signal } = this.abort;
    await runInWindow(addressesOf(this.#plan.segments), tools.maxInFlight, async (candidate) => {
      signal.throwIfAborted();
      const visit = this.#visit(candidate, tools);
      this.#visits.set(candidate, visit);
      await visit.finally(() => this.#visits.delete(candidate));
      this.#counts.visited++;
      onVisit();
    });
    signal.throwIfAborted();
    this.#settle(tools);
  }

  async #visit(candidate: Candidate, tools: ScanSteps): Promise<void> {
    const counts = this.#counts;
    if (!this.#isWanted(candidate)) {
      if (counts.visited % skippedPerTurn === 0) await setImmediate();
      return;
    }
    if (tools.isKnown(candidate)) {
      if (++counts.known % skippedPerTurn === 0) await setImmediate();
      return;
    }
    const result = await tools.probe(candidate, this.abort.signal, () => this.#isWanted(candidate));
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

  #isWanted({ networks }: Candidate): boolean {
    return networks.some((network) => this.#networks.has(network));
  }

  #settle(tools: ScanSteps): void {
    const { answered, silent } = this.#counts;
    if (answered === 0 && silent > 0) tools.reportNoAnswer(silent);
    else
      for (const candidate of this.#silent)
        if (this.#isWanted(candidate) && tools.countSilence(candidate)) this.#counts.removed++;
  }
}
