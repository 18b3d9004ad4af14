import { EngineClock, type EngineRecord } from './engine-clock.ts';
import { type EngineFinding, findClockFaults, findSharedIds } from './engine-finding.ts';

/** What is kept over a restart. It contains no secrets. */
export interface EngineState {
  readonly address: string;
  /** Hexadecimal. */
  readonly engineId: string;
  readonly boots: number;
  /** When the engine's time was zero, by the wall clock. */
  readonly startedAtMs: number;
  /** When a signed message showed this last, by the wall clock; 0: not since the start. */
  readonly shownAtMs?: number | undefined;
  /** The latest time that a message of these boots had, in seconds. */
  readonly latestTime?: number | undefined;
}

/**
 * The engines of all targets, by address and engine ID together: many devices share an ID, and their clocks are unrelated.
 * Only authenticated messages change it.
 */
export class EngineTable {
  readonly #records = new Map<string, EngineRecord>();
  readonly #maxRecords: number;

  constructor(maxRecords = 200_000) {
    this.#maxRecords = maxRecords;
  }

  find(address: string): EngineRecord | undefined {
    return this.#records.get(address);
  }

  /** Stores what an engine has proved, and returns the clock that all its users share. */
  confirm(address: string, engineId: Buffer, clock: EngineClock, nowMs: number): EngineClock {
    const known = this.#records.get(address);
    if (known?.engineId.equals(engineId)) {
      if (known.clock === clock) return clock;
      const time = clock.timeAt(nowMs);
      if (clock.boots < known.clock.boots) known.bootsDecreases++;
      else if (clock.boots === known.clock.boots && time < known.clock.timeAt(nowMs)) known.timeDecreases++;
      known.clock.copy(clock);
      return known.clock;
    }
    if (known === undefined && this.#records.size >= this.#maxRecords) {
      this.#records.delete(this.#records.keys().next().value!);
    }
    this.#records.set(address, { address, engineId, clock, bootsDecreases: 0, timeDecreases: 0 });
    return clock;
  }

  forget(address: string): void {
    this.#records.delete(address);
  }

  /** Faults that should be fixed on the devices. Polling works in spite of them. */
  findings(): EngineFinding[] {
    const records = [...this.#records.values()];
    return [...findSharedIds(records), ...records.flatMap(findClockFaults)];
  }

  /** The state of all addresses, or of these; unknown ones are left out. */
  exportState(
    nowMs: number,
    wallMs: number,
    addresses: Iterable<string> = this.#records.keys(),
  ): EngineState[] {
    const states: EngineState[] = [];
    for (const address of addresses) {
      const record = this.#records.get(address);
      if (record === undefined) continue;
      const { engineId, clock } = record;
      const startedAtMs = Math.round(wallMs - (nowMs - clock.zeroAtMs));
      states.push({ address, engineId: engineId.toString('hex'), boots: clock.boots, startedAtMs });
    }
    return states;
  }

  /** The state of all addresses, with when a signed message has shown it. */
  listShown(nowMs: number, wallMs: number): EngineState[] {
    return this.exportState(nowMs, wallMs).map((state) => {
      const { shownAtMs } = this.#records.get(state.address)!.clock;
      return { ...state, shownAtMs: shownAtMs === undefined ? 0 : wallMs - (nowMs - shownAtMs) };
    });
  }

  /** Invalid entries are left out: their engines are discovered again. */
  restoreState(states: Iterable<EngineState>, nowMs: number, wallMs: number): void {
    for (const { address, engineId, boots, startedAtMs } of states) {
      const id = Buffer.from(engineId, 'hex');
      const time = Math.floor((wallMs - startedAtMs) / 1000);
      if (id.length === 0 || id.length > 32 || !isNatural(boots) || !isNatural(time)) continue;
      this.confirm(address, id, new EngineClock(boots, time, nowMs), nowMs);
    }
  }
}

function isNatural(value: number): boolean {
  return Number.isInteger(value) && value >= 0 && value <= 0x7fffffff;
}
