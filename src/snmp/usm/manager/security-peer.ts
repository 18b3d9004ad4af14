import { EngineClock } from '../engine/engine-clock.ts';
import type { EngineTable } from '../engine/engine-table.ts';
import { holdsOctets } from '../message/octet-equality.ts';
import type { V3Message } from '../message/v3-message.ts';
import { localizeUser, type SecurityKeys, type SecurityUser } from '../user/security-user.ts';

/** For how long an engine may be tried that nobody has authenticated; about the longest a request lives. */
const maxUnprovenMs = 15_000;
const defaultContext = Buffer.alloc(0);

/** An engine as one user sees it. */
export interface KnownEngine {
  readonly id: Buffer;
  readonly keys: SecurityKeys;
  readonly clock: EngineClock;
}

export interface SecurityPeerSettings {
  /** The target as the engine table names it, such as `192.0.2.1:161`. */
  readonly address: string;
  readonly user: SecurityUser;
  readonly contextName?: string | undefined;
  /** The authoritative engine's own when absent. */
  readonly contextEngineId?: Buffer | undefined;
}

/**
 * One user at one target. It holds the engine that has proved itself, and beside it a candidate that a Report named: the
 * candidate is what we send by, but only an authenticated reply makes it the engine, so that a forged Report can cost a
 * packet and nothing more.
 */
export class SecurityPeer {
  readonly address: string;
  readonly user: SecurityUser;
  readonly contextName: Buffer;
  readonly contextEngineId: Buffer | undefined;
  readonly #engines: EngineTable;
  #engine: KnownEngine | undefined;
  #candidate: KnownEngine | undefined;
  #candidateSinceMs = 0;

  /** An engine that `engines` knows at this address needs no discovery. */
  constructor(settings: SecurityPeerSettings, engines: EngineTable) {
    this.address = settings.address;
    this.user = settings.user;
    this.contextName = settings.contextName ? Buffer.from(settings.contextName) : defaultContext;
    this.contextEngineId = settings.contextEngineId;
    this.#engines = engines;
    const known = engines.find(settings.address);
    if (known === undefined) return;
    this.#engine = { id: known.engineId, keys: localizeUser(this.user, known.engineId), clock: known.clock };
  }

  /** The engine to send by; undefined until a discovery was answered. */
  findEngine(nowMs: number): KnownEngine | undefined {
    if (this.#candidate !== undefined && this.#engine !== undefined) {
      if (nowMs - this.#candidateSinceMs > maxUnprovenMs) this.#candidate = undefined;
    }
    return this.#candidate ?? this.#engine;
  }

  /** The engine whose id is in the message. */
  match(message: V3Message): KnownEngine | undefined {
    const { octets, engineIdStart, engineIdEnd } = message;
    const candidate = this.#candidate;
    if (candidate !== undefined && holdsOctets(octets, engineIdStart, engineIdEnd, candidate.id)) {
      return candidate;
    }
    const engine = this.#engine;
    return engine !== undefined && holdsOctets(octets, engineIdStart, engineIdEnd, engine.id)
      ? engine
      : undefined;
  }

  /** Whether an authenticated message of `matched` is timely. If it is, that engine has proved itself. */
  admit(matched: KnownEngine, boots: number, time: number, nowMs: number): boolean {
    const engine = this.#engine;
    if (matched.clock.admit(boots, time, nowMs)) {
      if (matched !== engine) this.#promote(matched, nowMs);
      this.#candidate = undefined;
      return true;
    }
    if (matched === engine || engine?.id.equals(matched.id) !== true) return false;
    if (!engine.clock.admit(boots, time, nowMs)) return false;
    this.#candidate = undefined;
    return true;
  }

  /** Without authentication a Response is all the proof there is; the engine table hears nothing of it. */
  believe(matched: KnownEngine): void {
    this.#engine = matched;
    this.#candidate = undefined;
  }

  /** Takes what a Report said as worth a try. */
  propose(engineId: Buffer, boots: number, time: number, nowMs: number): void {
    const engine = this.#engine;
    const isKnown = engine?.id.equals(engineId);
    this.#candidate = {
      id: isKnown ? engine!.id : engineId,
      keys: isKnown ? engine!.keys : localizeUser(this.user, engineId),
      clock: new EngineClock(boots, time, nowMs),
    };
    this.#candidateSinceMs = nowMs;
  }

  #promote(candidate: KnownEngine, nowMs: number): void {
    const clock = this.#engines.confirm(this.address, candidate.id, candidate.clock, nowMs);
    this.#engine = { id: candidate.id, keys: candidate.keys, clock };
  }
}
