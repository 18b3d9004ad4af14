import {
  createNetSnmpEngine,
  type EngineFinding,
  type Manager,
  nameTarget,
  parseLearnedState,
  type SnmpEngine,
  type Target,
  type TransportCounters,
  type UserSettings,
} from '../../src/snmp/index.ts';
import type { KeptState } from './kept-state.ts';
import { OpenSessions } from './open-sessions.ts';
import type { ClientSession, EngineName, Learned, LearnedSubject, SnmpClient } from './service.ts';

/** Hands out sessions of both engines and keeps what those of our own learn. */
export class SharedClient implements SnmpClient {
  readonly #manager: Manager;
  readonly #kept: KeptState;
  readonly #sessions: OpenSessions;
  readonly #defaultEngine: EngineName;
  #secondEngine: Promise<SnmpEngine> | undefined;

  constructor(manager: Manager, kept: KeptState, defaultEngine: EngineName) {
    this.#manager = manager;
    this.#kept = kept;
    this.#sessions = new OpenSessions(manager, kept);
    this.#defaultEngine = defaultEngine;
    manager.restoreEngines(kept.engines);
  }

  async open(target: Target, engine: EngineName = this.#defaultEngine): Promise<ClientSession> {
    if (engine === 'net-snmp') {
      this.#secondEngine ??= createNetSnmpEngine();
      return (await this.#secondEngine).open(target);
    }
    const session = this.#manager.open(target, (closed) => this.#sessions.delete(closed));
    const subject = nameSubject(session.name, target.version === '3' ? target.context : undefined);
    session.restoreLearned(this.#kept.findLearned(subject));
    this.#sessions.add(session, subject);
    return session;
  }

  prepareUsers(users: Iterable<UserSettings>): Promise<void> {
    return this.#manager.prepareUsers(users);
  }

  findLearned({ address, port, context }: LearnedSubject): Learned | undefined {
    const subject = nameSubject(nameTarget({ address, port }), context);
    const session = this.#sessions.find(subject);
    const isTaught = session?.hasLearned === true;
    const state = isTaught ? session.exportLearned() : parseLearnedState(this.#kept.findLearned(subject));
    return state && { ...state, window: session?.peer.window };
  }

  counters(): TransportCounters {
    return this.#manager.counters();
  }

  kernelDrops(): Promise<number | undefined> {
    return this.#manager.kernelDrops();
  }

  engineFindings(): readonly EngineFinding[] {
    return this.#manager.engineFindings();
  }

  /** Keeps what a share of the open sessions has learned since their last turn: called again and again, all have theirs. */
  keepNext(share: number): void {
    this.#sessions.keepNext(share);
  }

  /** The device at this address is gone: nothing that it taught us stays, in memory or on the disk. */
  forget(address: string, port: number): void {
    this.#sessions.forget(nameTarget({ address, port }));
  }

  /** Keeps what the open sessions know and closes all. */
  async close(): Promise<void> {
    this.#kept.keepEngines(this.#manager.exportEngines());
    this.#manager.close();
    (await this.#secondEngine)?.close();
  }
}

/** What a device lacks in one context it may have in another. */
function nameSubject(target: string, context = ''): string {
  return context === '' ? target : `${target} ${context}`;
}
