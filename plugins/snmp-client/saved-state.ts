import { type EngineState, type LearnedState, parseLearnedState } from '../../src/snmp/index.ts';
import type { Journal } from '../../src/storage/index.ts';
import type { LearnedDevice } from './service.ts';
import { isSameEngine, isSameLearned } from './state-difference.ts';

const learnedPrefix = 'learned ';
const enginePrefix = 'engine ';
/** State changes often, and its lines are short. */
const toleratedLines = 10_000;

/** Learned device limits and SNMPv3 engines, saved over a restart. Only changes are written. It contains no secrets. */
export class SavedState {
  readonly #journal: Journal;
  readonly #learned = new Map<string, unknown>();
  readonly #engines = new Map<string, EngineState>();
  /** The subjects with an SNMPv3 context, by target. */
  readonly #inContexts = new Map<string, Set<string>>();

  constructor(journal: Journal, stored: ReadonlyMap<string, unknown>) {
    this.#journal = journal;
    for (const [key, value] of stored) {
      if (key.startsWith(learnedPrefix)) this.#setLearned(key.slice(learnedPrefix.length), value);
      else if (key.startsWith(enginePrefix) && isEngineState(value)) this.#engines.set(value.address, value);
    }
  }

  get engines(): readonly EngineState[] {
    return [...this.#engines.values()];
  }

  /** A subject is a target such as `192.0.2.1:161`, or a target and an SNMPv3 context, separated by a space. */
  findLearned(subject: string): unknown {
    return this.#learned.get(subject);
  }

  /** Everything about a target that is no longer this collector's, in all its contexts. */
  exportTarget(target: string): LearnedDevice {
    const known = this.subjectsOf(target).filter((subject) => this.#learned.has(subject));
    const engine = this.#engines.get(target);
    return {
      learned: Object.fromEntries(known.map((subject) => [subject, this.#learned.get(subject)])),
      engines: engine === undefined ? [] : [engine],
    };
  }

  /** Returns the engines that are valid. */
  importTarget({ learned, engines }: LearnedDevice): readonly EngineState[] {
    for (const [subject, state] of Object.entries(learned)) {
      const parsed = parseLearnedState(state);
      if (parsed !== undefined) this.saveLearned(subject, parsed);
    }
    const valid = engines.filter(isEngineState);
    this.saveEngines(valid);
    return valid;
  }

  /** The target, and the target in each of its contexts. */
  subjectsOf(target: string): readonly string[] {
    return [target, ...(this.#inContexts.get(target) ?? [])];
  }

  saveLearned(subject: string, state: LearnedState): void {
    if (isSameLearned(this.#learned.get(subject), state)) return;
    this.#setLearned(subject, state);
    this.#write(learnedPrefix + subject, state);
  }

  saveEngines(engines: readonly EngineState[]): void {
    for (const engine of engines) {
      if (isSameEngine(this.#engines.get(engine.address), engine)) continue;
      this.#engines.set(engine.address, engine);
      this.#write(enginePrefix + engine.address, engine);
    }
  }

  /** Forgets a target that is no longer a device, in all its contexts. */
  forget(target: string): void {
    for (const subject of this.subjectsOf(target)) {
      if (this.#learned.delete(subject)) this.#journal.delete(learnedPrefix + subject);
    }
    this.#inContexts.delete(target);
    if (this.#engines.delete(target)) this.#journal.delete(enginePrefix + target);
  }

  #setLearned(subject: string, state: unknown): void {
    this.#learned.set(subject, state);
    const end = subject.indexOf(' ');
    if (end < 0) return;
    const target = subject.slice(0, end);
    const known = this.#inContexts.get(target);
    if (known === undefined) this.#inContexts.set(target, new Set([subject]));
    else known.add(subject);
  }

  #write(key: string, value: unknown): void {
    this.#journal.set(key, value);
    this.#journal.compactIfWasteful(this.#entries(), toleratedLines);
  }

  *#entries(): Iterable<readonly [key: string, value: unknown]> {
    for (const [target, state] of this.#learned) yield [learnedPrefix + target, state];
    for (const [address, engine] of this.#engines) yield [enginePrefix + address, engine];
  }
}

function isEngineState(value: unknown): value is EngineState {
  if (typeof value !== 'object' || value === null) return false;
  const { address, engineId, boots, startedAtMs } = value as Readonly<Record<string, unknown>>;
  return (
    typeof address === 'string' &&
    typeof engineId === 'string' &&
    typeof boots === 'number' &&
    typeof startedAtMs === 'number'
  );
}
