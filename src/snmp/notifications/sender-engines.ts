import type { Clock } from '../../timing/clock.ts';
import { EngineClock } from '../usm/engine/engine-clock.ts';
import type { EngineState } from '../usm/engine/engine-table.ts';
import type { SecurityKeys } from '../usm/user/security-user.ts';
import { SecondCount, type Source } from './source-table.ts';

/** Attempts with unknown engines that one source may cause within a second. */
const sourceTriesPerSecond = 10;
/** A stored clock that differs by less is not stored again: engines count whole seconds, and messages take their time. */
const storedMs = 5_000;

export interface EngineLimits {
  /** Whether an engine becomes known when the MAC of a known user is right. */
  readonly learn: boolean;
  /** Attempts with unknown engines within a second: each one costs a key and a MAC. */
  readonly newPerSecond: number;
  /** Those that polling knows are not counted. */
  readonly max: number;
}

/** An engine that has signed a message, or that polling knows. */
export interface SenderEngine {
  readonly engineId: string;
  readonly clock: EngineClock;
  /** By the key of the user. */
  readonly keys: Map<string, SecurityKeys>;
}

interface KnownEngine extends SenderEngine {
  /** Where a signed message came from last, or where it is polled. */
  address: string;
  clock: EngineClock;
  /** The addresses where polling has found the ID. Of several devices with one ID each has its own clock, which only polling sets. */
  polled: ReadonlyMap<string, EngineClock>;
  /** What was told of it last. */
  told: { readonly boots: number; readonly zeroAtMs: number } | undefined;
}

/**
 * The engines of senders. An engine has one clock, wherever its messages come from (RFC 3414 §3.2 step 7): what was captured does not become timely
 * at another address. Only where polling has found the ID at several devices, each address of them has its own, and only polling sets it: what one
 * of them has signed proves nothing about the others. Only signed messages and polling change a clock.
 */
export class SenderEngines {
  readonly #limits: EngineLimits;
  readonly #clock: Pick<Clock, 'wallNow'>;
  readonly #onChange: (state: EngineState) => void;
  readonly #engines = new Map<string, KnownEngine>();
  /** Those that polling does not know, the oldest one first. */
  readonly #learned = new Set<string>();
  readonly #tries = new SecondCount();

  /** `onChange`: a clock has changed in a way that must not be lost, because a message was admitted. */
  constructor(limits: EngineLimits, clock: Pick<Clock, 'wallNow'>, onChange: (state: EngineState) => void) {
    this.#limits = limits;
    this.#clock = clock;
    this.#onChange = onChange;
  }

  get count(): number {
    return this.#engines.size;
  }

  find(engineId: string): SenderEngine | undefined {
    return this.#engines.get(engineId);
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

  /** Whether a signed message is timely. The first one of an engine makes it known, with these keys. */
  admit(
    { address, engineId, userKey, keys }: SignedMessage,
    boots: number,
    time: number,
    nowMs: number,
  ): boolean {
    const engine =
      this.#engines.get(engineId) ?? this.#learn(address, engineId, new EngineClock(boots, time, nowMs));
    engine.keys.set(userKey, keys);
    if (engine.polled.size > 1) {
      // At another address one of them sends from another interface, or somebody plays back what it has sent.
      const own = engine.polled.get(address);
      const clocks = own === undefined ? [...engine.polled.values()] : [own];
      return clocks.some((clock) => clock.isNear(boots, time, nowMs));
    }
    if (!engine.clock.admit(boots, time, nowMs)) return false;
    engine.address = address;
    const { told, clock } = engine;
    const isNews =
      told === undefined || told.boots !== clock.boots || Math.abs(told.zeroAtMs - clock.zeroAtMs) > storedMs;
    if (isNews) {
      engine.told = { boots: clock.boots, zeroAtMs: clock.zeroAtMs };
      this.#onChange(stateOf(engine, nowMs, this.#clock.wallNow()));
    }
    return true;
  }

  /** The users have changed: their keys are derived again. */
  forgetKeys(): void {
    for (const { keys } of this.#engines.values()) keys.clear();
  }

  /** Without ports: a device sends notifications from another one than it is polled at. */
  exportState(nowMs: number, wallMs: number): EngineState[] {
    return [...this.#engines.values()].map((engine) => stateOf(engine, nowMs, wallMs));
  }

  /** Takes over what was stored before a restart. Of several states of one engine the newest one counts. Entries that cannot be right are left out. */
  restoreState(states: Iterable<EngineState>, nowMs: number, wallMs: number): void {
    for (const state of states) {
      const clock = clockOf(state, nowMs, wallMs);
      if (clock === undefined) continue;
      const known = this.#engines.get(state.engineId);
      if (known === undefined) this.#learn(state.address, state.engineId, clock);
      else if (isNewer(clock, known.clock)) known.clock.copy(clock);
    }
  }

  /**
   * Takes over all that polling knows now. It sets clocks forward. It turns one back when it has seen the engine signed after the last notification
   * that the clock admitted: what polling only remembers, it does not.
   */
  updateState(states: Iterable<EngineState>, nowMs: number, wallMs: number): void {
    const polled = new Map<string, Map<string, EngineClock>>();
    for (const state of states) {
      const { address, engineId, shownAtMs = wallMs } = state;
      const clock = clockOf({ ...state, shownAtMs }, nowMs, wallMs);
      if (clock === undefined) continue;
      const clocks = polled.get(engineId) ?? new Map<string, EngineClock>();
      polled.set(engineId, clocks);
      const known = clocks.get(address);
      if (known === undefined) clocks.set(address, clock);
      else follow(known, clock, nowMs);
    }
    for (const [engineId, clocks] of polled) {
      const [first] = clocks;
      const [address, clock] = first!;
      const engine = this.#engines.get(engineId) ?? this.#learn(address, engineId, clock);
      this.#learned.delete(engineId);
      // What several devices share, notifications of all of them have set.
      if (clocks.size > 1 || engine.polled.size > 1) engine.clock = clock;
      else follow(engine.clock, clock, nowMs);
      engine.polled = clocks;
    }
    for (const engine of this.#engines.values()) {
      if (polled.has(engine.engineId)) continue;
      engine.polled = new Map();
      this.#learned.add(engine.engineId);
    }
  }

  #learn(address: string, engineId: string, clock: EngineClock): KnownEngine {
    if (this.#learned.size >= this.#limits.max) {
      const [oldest = ''] = this.#learned;
      this.#learned.delete(oldest);
      this.#engines.delete(oldest);
    }
    const engine = { address, engineId, clock, keys: new Map(), polled: new Map(), told: undefined };
    this.#engines.set(engineId, engine);
    this.#learned.add(engineId);
    return engine;
  }
}

/** Whose signed message it is. */
export interface SignedMessage {
  readonly address: string;
  readonly engineId: string;
  readonly userKey: string;
  readonly keys: SecurityKeys;
}

function stateOf({ address, engineId, clock }: KnownEngine, nowMs: number, wallMs: number): EngineState {
  const { boots, zeroAtMs, latestTime, shownAtMs } = clock;
  return {
    address,
    engineId,
    boots,
    startedAtMs: Math.round(wallMs - (nowMs - zeroAtMs)),
    latestTime,
    shownAtMs: shownAtMs === undefined ? 0 : Math.round(wallMs - (nowMs - shownAtMs)),
  };
}

/** Undefined for a state that cannot be right. The wall clock may have been set: the engine's time is no earlier than what it has sent. */
function clockOf(state: EngineState, nowMs: number, wallMs: number): EngineClock | undefined {
  const { engineId, boots, startedAtMs, shownAtMs = 0, latestTime = 0 } = state;
  const time = Math.max(Math.floor((wallMs - startedAtMs) / 1000), latestTime);
  if (!/^([0-9a-f]{2}){5,32}$/.test(engineId) || !isNatural(boots) || !isNatural(time)) return undefined;
  const clock = new EngineClock(boots, time, nowMs);
  const latest = state.latestTime === undefined ? time : latestTime;
  clock.restore(latest, shownAtMs === 0 ? undefined : nowMs - (wallMs - shownAtMs));
  return clock;
}

function follow(known: EngineClock, polled: EngineClock, nowMs: number): void {
  const time = polled.timeAt(nowMs);
  const isAhead = polled.boots > known.boots || (polled.boots === known.boots && time > known.timeAt(nowMs));
  if (isAhead) known.set(polled.boots, time, nowMs);
  else if (!known.isNear(polled.boots, time, nowMs) && isNewer(polled, known)) known.copy(polled);
}

/** Whether it was shown later; where neither was shown, whether its boots are higher. */
function isNewer(clock: EngineClock, known: EngineClock): boolean {
  if (clock.shownAtMs === undefined) return known.shownAtMs === undefined && clock.boots > known.boots;
  return known.shownAtMs === undefined || clock.shownAtMs >= known.shownAtMs;
}

function isNatural(value: number): boolean {
  return Number.isInteger(value) && value >= 0 && value <= 0x7fffffff;
}
