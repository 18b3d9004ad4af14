import { EngineClock } from '../engine/engine-clock.ts';
import type { EngineTable } from '../engine/engine-table.ts';
import { holdsOctets } from '../message/octet-equality.ts';
import type { V3Message } from '../message/v3-message.ts';
import { localizeUser, type SecurityKeys, type SecurityUser } from '../user/security-user.ts';

/** How long an engine may be tried that is not authenticated; about the longest duration of a request. */
const maxUnprovenMs = 15_000;
const defaultContext = Buffer.alloc(0);

/** An engine with one user's keys. */
export interface KnownEngine {
  readonly id: Buffer;
  readonly keys: SecurityKeys;
  readonly clock: EngineClock;
}

export interface SecurityPeerSettings {
  /** The name of the target in the engine table, such as `192.0.2.1:161`. */
  readonly address: string;
  readonly user: SecurityUser;
  readonly contextName?: string | undefined;
  /** The ID of the authoritative engine when absent. */
  readonly contextEngineId?: Buffer | undefined;
}

/**
 * One user at one target. It holds the authenticated engine, and a candidate that a Report has named. Requests go to the
 * candidate, but only an authenticated reply makes it the engine, so that a forged Report costs no more than a packet.
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

  /** If `engines` knows the engine at this address, no discovery is needed. */
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

  /** The engine for the next request; undefined until a discovery was answered. */
  findEngine(nowMs: number): KnownEngine | undefined {
    if (this.#candidate !== undefined && this.#engine !== undefined) {
      if (nowMs - this.#candidateSinceMs > maxUnprovenMs) this.#candidate = undefined;
    }
    return this.#candidate ?? this.#engine;
  }

  /** Whether a Report named an engine from which no proven reply has come yet. */
  get hasCandidate(): boolean {
    return this.#candidate !== undefined;
  }

  /** The engine with the ID in the message. */
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

  /** Whether an authenticated message of `matched` is timely. If it is, that engine is authenticated. */
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

  /** For users without authentication, a Response is the only proof. It does not change the engine table. */
  trustUnauthenticated(matched: KnownEngine): void {
    this.#engine = matched;
    this.#candidate = undefined;
  }

  /** Makes the engine of a Report the candidate. */
  setCandidate(engineId: Buffer, boots: number, time: number, nowMs: number): void {
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
