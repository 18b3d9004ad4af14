import type { ReplayCounters } from './replay-counters.ts';
import type { ReplayKnobs } from './replay-knobs.ts';

type Send = () => void;

/** How long a reply that should be overtaken waits for the next one. */
const overtakingMs = 100;

/** The link between agent and manager: it loses, delays, duplicates and reorders datagrams as the knobs say. */
export class ImpairedLink {
  readonly #random: () => number;
  readonly #counters: ReplayCounters;
  readonly #timers = new Set<NodeJS.Timeout>();
  #overtaken: Send | undefined;

  constructor(random: () => number, counters: ReplayCounters) {
    this.#random = random;
    this.#counters = counters;
  }

  /** Whether a request is lost on its way to the agent. */
  losesRequest(knobs: ReplayKnobs): boolean {
    return this.#shouldImpair(knobs.loss, 'lost');
  }

  deliver(send: Send, knobs: ReplayKnobs): void {
    if (this.#shouldImpair(knobs.loss, 'lost')) return;
    this.#later(knobs.delayMs + (knobs.jitterMs > 0 ? knobs.jitterMs * this.#random() : 0), () => {
      if (this.#overtaken === undefined && this.#shouldImpair(knobs.reordering, 'reordered')) {
        this.#overtaken = send;
        this.#later(overtakingMs, () => this.#release(send));
        return;
      }
      send();
      if (this.#shouldImpair(knobs.duplicates, 'duplicated')) send();
      if (this.#overtaken !== undefined) this.#release(this.#overtaken);
    });
  }

  /** Drops every reply that is still delayed. */
  close(): void {
    for (const timer of this.#timers) clearTimeout(timer);
    this.#timers.clear();
    this.#overtaken = undefined;
  }

  #release(send: Send): void {
    if (this.#overtaken !== send) return;
    this.#overtaken = undefined;
    send();
  }

  #later(ms: number, action: () => void): void {
    if (ms <= 0) {
      action();
      return;
    }
    const timer = setTimeout(() => {
      this.#timers.delete(timer);
      action();
    }, ms);
    this.#timers.add(timer);
  }

  #shouldImpair(share: number, counter: 'lost' | 'duplicated' | 'reordered'): boolean {
    if (share <= 0 || this.#random() >= share) return false;
    this.#counters[counter]++;
    return true;
  }
}
