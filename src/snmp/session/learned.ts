import type { Oid } from '../../model/oid.ts';
import { LearnedCeiling } from './learned-ceiling.ts';

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
  /** OIDs a GET, and varbinds a reply to a compiled request, above which messages were too big. */
  readonly maxOids?: number | undefined;
  readonly maxVarbinds?: number | undefined;
  /** OIDs that the device does not have. */
  readonly missing?: readonly Oid[] | undefined;
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
  const { maxOids, maxVarbinds, srttMs, rttvarMs, missing = [] } = stored;
  if (!isSize(maxOids) || !isSize(maxVarbinds) || !isTime(srttMs) || !isTime(rttvarMs)) return undefined;
  if (!Array.isArray(missing) || !missing.every((oid) => typeof oid === 'string')) return undefined;
  return { maxOids, maxVarbinds, missing, srttMs, rttvarMs, tables };
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
const maxMissing = 256;
type Mutable<T> = { -readonly [Key in keyof T]: T[Key] };

/** What a session has found out about its device: ceilings that held, sizes, quirks. */
export class Learned {
  oidsPerGet = new LearnedCeiling();
  varbindsPerReply = new LearnedCeiling();
  // Made when there is something to hold: most of many thousand sessions never have it.
  #missing: Set<Oid> | undefined = undefined;
  #tables: Map<Oid, Mutable<TableState>> | undefined = undefined;

  /** Whether nothing was found out: asking alone teaches nothing. */
  get isEmpty(): boolean {
    const ceilings = [this.oidsPerGet.value, this.varbindsPerReply.value];
    return (
      ceilings.every((value) => value === undefined) &&
      (this.#missing?.size ?? 0) + (this.#tables?.size ?? 0) === 0
    );
  }

  get tables(): readonly TableState[] {
    return [...(this.#tables?.values() ?? [])];
  }

  get missing(): readonly Oid[] {
    return [...(this.#missing ?? [])];
  }

  find(root: Oid): TableState | undefined {
    return this.#tables?.get(root);
  }

  learnPresence(oid: Oid, isMissing: boolean): void {
    if (!isMissing) {
      this.#missing?.delete(oid);
      return;
    }
    this.#missing ??= new Set();
    if (this.#missing.size < maxMissing) this.#missing.add(oid);
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
    const table = this.#tables?.get(root);
    if (table !== undefined) table.isLooping = undefined;
  }

  restore(state: LearnedState): void {
    this.oidsPerGet = new LearnedCeiling(state.maxOids);
    this.varbindsPerReply = new LearnedCeiling(state.maxVarbinds);
    for (const oid of state.missing ?? []) this.learnPresence(oid, true);
    for (const table of state.tables.slice(0, maxTables)) Object.assign(this.#table(table.root), table);
  }

  #table(root: Oid): Mutable<TableState> {
    this.#tables ??= new Map();
    const known = this.#tables.get(root);
    if (known !== undefined) return known;
    if (this.#tables.size >= maxTables) this.#tables.delete(this.#tables.keys().next().value!);
    const table = { root };
    this.#tables.set(root, table);
    return table;
  }
}
