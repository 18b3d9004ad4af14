import type { Oid } from '../../model/oid.ts';

/** How one table of one device is best walked. */
export interface TableState {
  readonly root: Oid;
  /** Octets that a varbind takes in a reply, on average. */
  readonly varbindBytes?: number | undefined;
  /** Repetitions above which a request failed. */
  readonly maxRepetitions?: number | undefined;
  /** Its agent answers with OIDs that do not increase. */
  readonly isLooping?: boolean | undefined;
}

/** What outlives a restart. */
export interface LearnedState {
  readonly maxOids?: number | undefined;
  readonly srttMs?: number | undefined;
  readonly rttvarMs?: number | undefined;
  readonly tables: readonly TableState[];
}

/** Takes back what was stored; undefined when it is something else. */
export function parseLearnedState(stored: unknown): LearnedState | undefined {
  if (!isRecord(stored) || !Array.isArray(stored['tables'])) return undefined;
  const tables = stored['tables'].filter(
    (table): table is TableState =>
      isRecord(table) &&
      typeof table['root'] === 'string' &&
      isSize(table['varbindBytes']) &&
      isSize(table['maxRepetitions']) &&
      (table['isLooping'] === undefined || typeof table['isLooping'] === 'boolean'),
  );
  const { maxOids, srttMs, rttvarMs } = stored;
  if (!isSize(maxOids) || !isTime(srttMs) || !isTime(rttvarMs)) return undefined;
  return { maxOids, srttMs, rttvarMs, tables };
}

function isRecord(value: unknown): value is Readonly<Record<string, unknown>> {
  return typeof value === 'object' && value !== null;
}

function isSize(value: unknown): value is number | undefined {
  return value === undefined || (typeof value === 'number' && value >= 1 && value <= 65_535);
}

function isTime(value: unknown): value is number | undefined {
  return value === undefined || (typeof value === 'number' && value >= 0 && value <= 3_600_000);
}

const maxTables = 256;
type Mutable<T> = { -readonly [Key in keyof T]: T[Key] };

/** What a session has found out about its device: ceilings that held, sizes, quirks. */
export class Learned {
  maxOids: number | undefined = undefined;
  readonly #tables = new Map<Oid, Mutable<TableState>>();

  get tables(): readonly TableState[] {
    return [...this.#tables.values()];
  }

  find(root: Oid): TableState | undefined {
    return this.#tables.get(root);
  }

  /** Smaller at once; `growMaxOids` is the other direction. */
  learnMaxOids(maxOids: number): void {
    this.maxOids = Math.max(1, Math.min(maxOids, this.maxOids ?? maxOids));
  }

  learnSize(root: Oid, varbindBytes: number): void {
    this.#table(root).varbindBytes = Math.round(varbindBytes * 10) / 10;
  }

  learnCeiling(root: Oid, maxRepetitions: number): void {
    this.#table(root).maxRepetitions = Math.max(1, maxRepetitions);
  }

  /** A walk went well: the ceiling may be tried a quarter higher, until there is none. */
  raiseCeiling(root: Oid, limit: number): void {
    const table = this.#table(root);
    if (table.maxRepetitions === undefined) return;
    const raised = table.maxRepetitions + Math.max(1, table.maxRepetitions >> 2);
    table.maxRepetitions = raised >= limit ? undefined : raised;
  }

  learnLoop(root: Oid): void {
    this.#table(root).isLooping = true;
  }

  forgetLoop(root: Oid): void {
    const table = this.#tables.get(root);
    if (table !== undefined) table.isLooping = undefined;
  }

  restore(state: LearnedState): void {
    this.maxOids = state.maxOids;
    for (const table of state.tables.slice(0, maxTables)) this.#tables.set(table.root, { ...table });
  }

  #table(root: Oid): Mutable<TableState> {
    const known = this.#tables.get(root);
    if (known !== undefined) return known;
    if (this.#tables.size >= maxTables) this.#tables.delete(this.#tables.keys().next().value!);
    const table = { root };
    this.#tables.set(root, table);
    return table;
  }
}
