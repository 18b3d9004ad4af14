import { type DeviceRef, deviceKey } from '../../../src/index.ts';
import type { ReceivedNotification } from '../receiving/wire-form.ts';
import type { TrapIdentity } from '../senders/device-finder.ts';
import type { TrapSummary } from './trap-record.ts';

/** A notification as the API shows it. */
export interface LoggedTrap extends TrapSummary {
  readonly device: DeviceRef;
  readonly identity: TrapIdentity;
  readonly received: ReceivedNotification;
  /** The trap that it ended. */
  readonly clears: string | undefined;
  clearedBy: string | undefined;
  /** The polls that it led to. */
  readonly polls: TrapPoll[];
}

/** What a notification made the collector ask. */
export interface TrapPoll {
  readonly timeMs: number;
  /** `skipped`: the limits of `aim` were reached. `passed`: another process polls, because it owns the device. */
  readonly outcome: 'polled' | 'skipped' | 'rediscovered' | 'passed';
  readonly objects: readonly string[];
}

/** More open notifications than anyone looks at; the oldest ones are forgotten. */
const maxOpen = 10_000;

/** The last notifications, and those that nothing has ended yet. */
export class TrapLog {
  readonly #keep: number;
  /** A ring: the next one takes the place of the oldest one. */
  readonly #traps: LoggedTrap[] = [];
  #next = 0;
  readonly #open = new Map<string, LoggedTrap>();

  constructor(keep: number) {
    this.#keep = keep;
  }

  /** The notification that one with these names ends, of the same device and about the same thing. */
  findOpen(device: DeviceRef, names: readonly string[], about: string): LoggedTrap | undefined {
    for (const name of names) {
      const found = this.#open.get(openKey(device, name, about));
      if (found !== undefined) return found;
    }
    return undefined;
  }

  /** `ends`: it ends others with these names; `canEnd`: something may end it later; `isAgain`: it may be in the log already. */
  add(
    trap: LoggedTrap,
    {
      ends,
      canEnd,
      isAgain,
    }: { readonly ends: readonly string[]; readonly canEnd: boolean; readonly isAgain: boolean },
  ): void {
    for (const name of ends) {
      const key = openKey(trap.device, name, trap.about);
      const ended = this.#open.get(key);
      if (ended !== undefined) ended.clearedBy = trap.trapId;
      this.#open.delete(key);
    }
    if (canEnd) {
      const key = openKey(trap.device, trap.name, trap.about);
      this.#open.delete(key);
      this.#open.set(key, trap);
      if (this.#open.size > maxOpen) this.#open.delete(this.#open.keys().next().value!);
    }
    if (this.#keep === 0) return;
    const known = isAgain ? this.#traps.findIndex(({ trapId }) => trapId === trap.trapId) : -1;
    if (known >= 0) {
      this.#traps[known] = trap;
      return;
    }
    this.#traps[this.#next] = trap;
    this.#next = (this.#next + 1) % this.#keep;
  }

  /** Those that are no longer kept are left out. */
  addPoll(trapIds: readonly string[], poll: TrapPoll): void {
    const wanted = new Set(trapIds);
    for (const { trapId, polls } of this.#traps) if (wanted.has(trapId)) polls.push(poll);
  }

  find(trapId: string): LoggedTrap | undefined {
    return this.#traps.find((trap) => trap.trapId === trapId);
  }

  /** Newest first. */
  list(): LoggedTrap[] {
    return [...this.#traps.slice(this.#next), ...this.#traps.slice(0, this.#next)].reverse();
  }

  /** Newest first. */
  listOpen(): LoggedTrap[] {
    return [...this.#open.values()].reverse();
  }
}

/** One thing that notifications of a device with one name are about. */
export function openKey(device: DeviceRef, name: string, about: string): string {
  return `${deviceKey(device)} ${name} ${about}`;
}
