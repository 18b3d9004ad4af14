import type { Batch } from '../../src/index.ts';
import type { Device } from '../device-registry/service.ts';

/** What a poll brought, and what it took. */
export interface Scrape {
  readonly batches: readonly Batch[];
  /** What it took, beside a discovery. */
  readonly packets: number;
  readonly retries: number;
}

interface SharedPoll {
  readonly scrape: Promise<Scrape>;
  readonly begunMs: number;
  /** Set when the poll has ended without a value. */
  hasFailed: boolean;
}

interface DevicePolls {
  /** The polls of other settings or definitions are not shared. */
  readonly settings: Device['settings'];
  readonly generation: number;
  readonly byModule: Map<string, SharedPoll>;
}

/** A poll that brought nothing is shared no longer than this: the device may answer again before its interval is over. */
const failedMs = 5_000;

/** Scrapes do not come at exactly equal times: one that comes a little early gets a poll of its own. */
const early = 0.9;

/**
 * Polls for scrapes. Within its interval a module of a device is polled once, however many scrapes ask for it, and in whatever combination: who may
 * only read decides neither how often nor how much a device is asked.
 */
export class SharedPolls {
  readonly #devices = new WeakMap<Device, DevicePolls>();
  /** Milliseconds of a clock that is never set back. */
  readonly #now: () => number;

  constructor(now: () => number) {
    this.#now = now;
  }

  /** The polls that have the values of the modules, one or several. `start` polls those modules whose last poll is too old. */
  find(
    device: Device,
    generation: number,
    modules: ReadonlyMap<string, number>,
    start: (modules: readonly string[]) => Promise<Scrape>,
  ): Promise<readonly Scrape[]> {
    const { byModule } = this.#pollsOf(device, generation);
    const nowMs = this.#now();
    const due = [...modules].filter(([module, everyMs]) => {
      const known = byModule.get(module);
      if (known === undefined) return true;
      return nowMs - known.begunMs >= early * (known.hasFailed ? Math.min(failedMs, everyMs) : everyMs);
    });
    if (due.length > 0) {
      const names = due.map(([module]) => module);
      const poll: SharedPoll = { scrape: start(names), begunMs: nowMs, hasFailed: false };
      poll.scrape.then(
        ({ batches }) => {
          poll.hasFailed = batches.length === 0;
        },
        () => {
          poll.hasFailed = true;
        },
      );
      for (const name of names) byModule.set(name, poll);
    }
    const polls = new Set([...modules.keys()].map((module) => byModule.get(module)!.scrape));
    return Promise.all(polls);
  }

  #pollsOf(device: Device, generation: number): DevicePolls {
    const { settings } = device;
    const known = this.#devices.get(device);
    if (known?.settings === settings && known.generation === generation) return known;
    const polls = { settings, generation, byModule: new Map<string, SharedPoll>() };
    this.#devices.set(device, polls);
    return polls;
  }
}
