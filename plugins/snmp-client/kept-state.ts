import type { Journal, JournalContent } from '../../src/index.ts';
import type { EngineState, LearnedState } from '../../src/snmp/index.ts';

const learnedPrefix = 'learned ';
const enginePrefix = 'engine ';

/** What devices have taught us, kept over a restart. No secret is in it. */
export class KeptState {
  readonly #journal: Journal;
  readonly #learned = new Map<string, unknown>();
  readonly #engines: EngineState[] = [];

  constructor(journal: Journal, content: JournalContent) {
    this.#journal = journal;
    for (const [key, value] of content.values) {
      if (key.startsWith(learnedPrefix)) this.#learned.set(key.slice(learnedPrefix.length), value);
      else if (key.startsWith(enginePrefix) && isEngineState(value)) this.#engines.push(value);
    }
  }

  get engines(): readonly EngineState[] {
    return this.#engines;
  }

  findLearned(target: string): unknown {
    return this.#learned.get(target);
  }

  keepLearned(target: string, state: LearnedState): void {
    this.#learned.set(target, state);
    this.#journal.set(learnedPrefix + target, state);
  }

  keepEngines(engines: readonly EngineState[]): void {
    for (const engine of engines) this.#journal.set(enginePrefix + engine.address, engine);
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
