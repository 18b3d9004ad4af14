import type { Journal } from '../../src/internal.ts';
import type { EngineState, LearnedState } from '../../src/snmp/index.ts';
import { isSameEngine, isSameLearned } from './state-difference.ts';

const learnedPrefix = 'learned ';
const enginePrefix = 'engine ';
/** State changes often, and a line of it is short. */
const toleratedLines = 10_000;

/** What devices have taught us, kept over a restart: only what is news is written. No secret is in it. */
export class KeptState {
  readonly #journal: Journal;
  readonly #learned = new Map<string, unknown>();
  readonly #engines = new Map<string, EngineState>();
  /** The subjects of targets that were asked in contexts of theirs, by target. */
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

  /** A subject is a target, such as `192.0.2.1:161`, or one in a context of its own, with a space in between. */
  findLearned(subject: string): unknown {
    return this.#learned.get(subject);
  }

  keepLearned(subject: string, state: LearnedState): void {
    if (isSameLearned(this.#learned.get(subject), state)) return;
    this.#setLearned(subject, state);
    this.#write(learnedPrefix + subject, state);
  }

  keepEngines(engines: readonly EngineState[]): void {
    for (const engine of engines) {
      if (isSameEngine(this.#engines.get(engine.address), engine)) continue;
      this.#engines.set(engine.address, engine);
      this.#write(enginePrefix + engine.address, engine);
    }
  }

  /** The target is no device any more: nothing of it stays, in whatever context. */
  forget(target: string): void {
    for (const subject of [target, ...(this.#inContexts.get(target) ?? [])]) {
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
