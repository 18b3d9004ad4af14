import {
  createNetSnmpEngine,
  type EngineFinding,
  type EngineState,
  type Manager,
  nameTarget,
  parseLearnedState,
  type SnmpEngine,
  type Target,
  type TransportCounters,
  type UserSettings,
} from '../../src/snmp/index.ts';
import { OpenSessions } from './open-sessions.ts';
import type { SavedState } from './saved-state.ts';
import type {
  ClientSession,
  EngineName,
  Learned,
  LearnedDevice,
  LearnedSubject,
  SnmpClient,
} from './service.ts';

/** Opens sessions of both engines, and saves what the sessions of the built-in engine learn. */
export class SharedClient implements SnmpClient {
  readonly #manager: Manager;
  readonly #saved: SavedState;
  readonly #sessions: OpenSessions;
  readonly #defaultEngine: EngineName;
  #secondEngine: Promise<SnmpEngine> | undefined;

  constructor(manager: Manager, saved: SavedState, defaultEngine: EngineName) {
    this.#manager = manager;
    this.#saved = saved;
    this.#sessions = new OpenSessions(manager, saved);
    this.#defaultEngine = defaultEngine;
    manager.restoreEngines(saved.engines);
  }

  async open(target: Target, engine: EngineName = this.#defaultEngine): Promise<ClientSession> {
    if (engine === 'net-snmp') {
      this.#secondEngine ??= createNetSnmpEngine();
      return (await this.#secondEngine).open(target);
    }
    const session = this.#manager.open(target, (closed) => this.#sessions.delete(closed));
    const subject = nameSubject(session.name, target.version === '3' ? target.context : undefined);
    const other = this.#sessions.find(subject);
    session.restoreLearned(other?.hasLearned ? other.exportLearned() : this.#saved.findLearned(subject));
    this.#sessions.add(session, subject);
    return session;
  }

  prepareUsers(users: Iterable<UserSettings>): Promise<void> {
    return this.#manager.prepareUsers(users);
  }

  findLearned({ address, port, context }: LearnedSubject): Learned | undefined {
    const subject = nameSubject(nameTarget({ address, port }), context);
    const session = this.#sessions.find(subject);
    const hasLearned = session?.hasLearned === true;
    const state = hasLearned ? session.exportLearned() : parseLearnedState(this.#saved.findLearned(subject));
    return state && { ...state, window: session?.window };
  }

  exportDevice(address: string, port: number): LearnedDevice {
    const target = nameTarget({ address, port });
    for (const subject of this.#saved.subjectsOf(target)) this.#sessions.save(subject);
    return this.#saved.exportTarget(target);
  }

  importDevice(state: LearnedDevice): void {
    this.#manager.restoreEngines(this.#saved.importTarget(state));
  }

  counters(): TransportCounters {
    return this.#manager.counters();
  }

  kernelDrops(): Promise<number | undefined> {
    return this.#manager.kernelDrops();
  }

  engines(): readonly EngineState[] {
    return this.#manager.listEngines();
  }

  engineFindings(): readonly EngineFinding[] {
    return this.#manager.engineFindings();
  }

  /** Saves what the next share of the open sessions has learned. Repeated calls reach every session. */
  saveNext(share: number): void {
    this.#sessions.saveNext(share);
  }

  /** Forgets everything about the device at this address, in memory and on disk. */
  forget(address: string, port: number): void {
    this.#sessions.forget(nameTarget({ address, port }));
  }

  /** Saves the state of all open sessions and closes them. */
  async close(): Promise<void> {
    this.#saved.saveEngines(this.#manager.exportEngines());
    this.#manager.close();
    (await this.#secondEngine)?.close();
  }
}

/** A device may have different objects in each context. */
function nameSubject(target: string, context = ''): string {
  return context === '' ? target : `${target} ${context}`;
}
