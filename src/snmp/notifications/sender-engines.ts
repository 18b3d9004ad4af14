import { EngineClock } from '../usm/engine/engine-clock.ts';
import type { EngineState } from '../usm/engine/engine-table.ts';
import type { SecurityKeys } from '../usm/user/security-user.ts';
import { SecondCount, type Source } from './source-table.ts';

/** Attempts with unknown engines that one source may cause within a second. */
const sourceTriesPerSecond = 10;

export interface EngineLimits {
  /** Whether an engine becomes known when the MAC of a known user is right. */
  readonly learn: boolean;
  /** Attempts with unknown engines within a second: each one costs a key and a MAC. */
  readonly newPerSecond: number;
  readonly max: number;
}

/** An engine that has signed a message, or that polling knows. */
export interface SenderEngine {
  readonly clock: EngineClock;
  /** By the key of the user. */
  readonly keys: Map<string, SecurityKeys>;
}

/**
 * The engines of senders, by source address and engine ID together: many devices share an ID, and their clocks are unrelated.
 * Only signed messages and polling change it.
 */
export class SenderEngines {
  readonly #limits: EngineLimits;
  readonly #engines = new Map<
    string,
    SenderEngine & { readonly address: string; readonly engineId: string }
  >();
  readonly #tries = new SecondCount();

  constructor(limits: EngineLimits) {
    this.#limits = limits;
  }

  get count(): number {
    return this.#engines.size;
  }

  find(address: string, engineId: string): SenderEngine | undefined {
    return this.#engines.get(`${address} ${engineId}`);
  }

  /** Whether an unknown engine may be tried; the cause when it may not. An unsigned message costs no key and no MAC. */
  mayTry(source: Source, isUnsigned: boolean, nowMs: number): 'engine' | 'engine_rate' | undefined {
    if (!this.#limits.learn) return 'engine';
    const isAllowed =
      isUnsigned ||
      (source.limits.tries.take(nowMs, sourceTriesPerSecond) &&
        this.#tries.take(nowMs, this.#limits.newPerSecond));
    return isAllowed ? undefined : 'engine_rate';
  }

  /** Remembers an engine whose message was signed correctly. */
  learn(address: string, engineId: string, clock: EngineClock): SenderEngine {
    if (this.#engines.size >= this.#limits.max) this.#engines.delete(this.#engines.keys().next().value!);
    const engine = { address, engineId, clock, keys: new Map<string, SecurityKeys>() };
    this.#engines.set(`${address} ${engineId}`, engine);
    return engine;
  }

  /** The users have changed: their keys are derived again. */
  forgetKeys(): void {
    for (const { keys } of this.#engines.values()) keys.clear();
  }

  /** Without ports: a device sends notifications from another one than it is polled at. */
  exportState(nowMs: number, wallMs: number): EngineState[] {
    return [...this.#engines.values()].map(({ address, engineId, clock }) => ({
      address,
      engineId,
      boots: clock.boots,
      startedAtMs: Math.round(wallMs - (nowMs - clock.zeroAtMs)),
    }));
  }

  /**
   * Takes over what polling knows, or what was exported before a restart. What polling has seen signed may turn a clock back;
   * stored clocks may not. Entries that cannot be right are left out.
   */
  restoreState(states: Iterable<EngineState>, nowMs: number, wallMs: number, mayTurnBack = false): void {
    for (const { address, engineId, boots, startedAtMs } of states) {
      const time = Math.floor((wallMs - startedAtMs) / 1000);
      if (!/^([0-9a-f]{2}){5,32}$/.test(engineId) || !isNatural(boots) || !isNatural(time)) continue;
      const known = this.find(address, engineId);
      if (known === undefined) this.learn(address, engineId, new EngineClock(boots, time, nowMs));
      else if (mayTurnBack || boots > known.clock.boots) known.clock.set(boots, time, nowMs);
    }
  }
}

function isNatural(value: number): boolean {
  return Number.isInteger(value) && value >= 0 && value <= 0x7fffffff;
}
