import type { Journal } from '../../src/index.ts';
import type { EngineState, LearnedState } from '../../src/snmp/index.ts';
import { isSameEngine, isSameLearned } from './state-difference.ts';

const learnedPrefix = 'learned ';
const enginePrefix = 'engine ';
/** Outdated lines that the journal may hold beside its living ones before it is written anew. */
const maxWastedLines = 10_000;

/** What devices have taught us, kept over a restart: only what is news is written. No secret is in it. */
export class KeptState {
  readonly #journal: Journal;
  readonly #learned = new Map<string, unknown>();
  readonly #engines = new Map<string, EngineState>();

  constructor(journal: Journal, stored: ReadonlyMap<string, unknown>) {
    this.#journal = journal;
    for (const [key, value] of stored) {
      if (key.startsWith(learnedPrefix)) this.#learned.set(key.slice(learnedPrefix.length), value);
      else if (key.startsWith(enginePrefix) && isEngineState(value)) this.#engines.set(value.address, value);
    }
  }

  get engines(): readonly EngineState[] {
    return [...this.#engines.values()];
  }

  findLearned(target: string): unknown {
    return this.#learned.get(target);
  }

  keepLearned(target: string, state: LearnedState): void {
    if (isSameLearned(this.#learned.get(target), state)) return;
    this.#learned.set(target, state);
    this.#write(learnedPrefix + target, state);
  }

  keepEngines(engines: readonly EngineState[]): void {
    for (const engine of engines) {
      if (isSameEngine(this.#engines.get(engine.address), engine)) continue;
      this.#engines.set(engine.address, engine);
      this.#write(enginePrefix + engine.address, engine);
    }
  }

  #write(key: string, value: unknown): void {
    this.#journal.set(key, value);
    const living = this.#learned.size + this.#engines.size;
    if (this.#journal.wastedLines > maxWastedLines + 3 * living) void this.#journal.compact(this.#entries());
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
