import type { Oid } from '../../model/oid.ts';
import { ExpiringOids } from './expiring-oids.ts';

/** How to walk one table of one device. */
export interface TableState {
  readonly root: Oid;
  /** Average size of a varbind in a reply, in octets. */
  readonly varbindBytes?: number | undefined;
  /** Requests for more repetitions than this failed. */
  readonly maxRepetitions?: number | undefined;
  /** Varbinds per reply to a compiled request that begins with this column; more were too big. */
  readonly maxVarbinds?: number | undefined;
  /** The agent answers with OIDs that do not increase. */
  readonly isLooping?: boolean | undefined;
}

/** A column, or a scalar, that the device does not answer for, although it answers other requests. */
export interface SilentColumn {
  readonly column: Oid;
  /** When it is asked again, in milliseconds since 1970. */
  readonly untilMs: number;
}

/** A table that is polled by GET, because replies to GETBULK had OIDs that do not increase. */
export interface MisorderedTable {
  /** The OID above its columns. */
  readonly table: Oid;
  /** When GETBULK is tried again, in milliseconds since 1970. */
  readonly untilMs: number;
}

/** What is kept over a restart. */
export interface LearnedState {
  /** OIDs per GET, and varbinds per reply to any compiled request; messages with more were too big. */
  readonly maxOids?: number | undefined;
  readonly maxVarbinds?: number | undefined;
  /** OIDs that the device does not have. */
  readonly missing?: readonly Oid[] | undefined;
  readonly silent?: readonly SilentColumn[] | undefined;
  readonly misordered?: readonly MisorderedTable[] | undefined;
  readonly srttMs?: number | undefined;
  readonly rttvarMs?: number | undefined;
  readonly tables: readonly TableState[];
}

/** Checks a stored state; undefined when it is not one. */
export function parseLearnedState(stored: unknown): LearnedState | undefined {
  if (!isRecord(stored) || !Array.isArray(stored['tables'])) return undefined;
  const tables = stored['tables'].filter(
    (table): table is TableState =>
      isRecord(table) &&
      typeof table['root'] === 'string' &&
      isSize(table['varbindBytes']) &&
      isSize(table['maxRepetitions']) &&
      isSize(table['maxVarbinds']) &&
      (table['isLooping'] === undefined || typeof table['isLooping'] === 'boolean'),
  );
  const { maxOids, maxVarbinds, srttMs, rttvarMs, missing = [], silent = [], misordered = [] } = stored;
  if (!isSize(maxOids) || !isSize(maxVarbinds) || !isTime(srttMs) || !isTime(rttvarMs)) return undefined;
  if (!Array.isArray(missing) || !missing.every((oid) => typeof oid === 'string')) return undefined;
  if (!Array.isArray(silent) || !silent.every((each) => holdsUntil(each, 'column'))) return undefined;
  if (!Array.isArray(misordered) || !misordered.every((each) => holdsUntil(each, 'table'))) return undefined;
  return { maxOids, maxVarbinds, missing, silent, misordered, srttMs, rttvarMs, tables };
}

function isRecord(value: unknown): value is Readonly<Record<string, unknown>> {
  return typeof value === 'object' && value !== null;
}

function holdsUntil(value: unknown, name: string): boolean {
  return isRecord(value) && typeof value[name] === 'string' && typeof value['untilMs'] === 'number';
}

function isSize(value: unknown): value is number | undefined {
  return value === undefined || (typeof value === 'number' && value >= 1 && value <= 65_535);
}

function isTime(value: unknown): value is number | undefined {
  return value === undefined || (typeof value === 'number' && value >= 0 && value <= 3_600_000);
}

/** After this many successful messages of the largest size, a larger one is tried. */
const provenAfter = 50;
const maxTables = 256;
/** When this many tables had replies that were too big, it is the device, not the table, that sends only small ones. */
const tablesOfLimitedDevice = 3;
const maxMissing = 256;
type Mutable<T> = { -readonly [Key in keyof T]: T[Key] };

/** How much one message may request: less immediately after a failure, a quarter more after long success. */
export class LearnedCeiling {
  /** Undefined while nothing has failed. */
  value: number | undefined;
  #successes = 0;

  constructor(value?: number) {
    this.value = value;
  }

  /** The ceiling, or `limit` when that is lower. */
  within(limit: number): number {
    return Math.min(limit, this.value ?? limit);
  }

  shrinkTo(size: number): void {
    this.value = Math.max(1, this.within(size));
    this.#successes = 0;
  }

  /** A message of `size` succeeded. Sizes above `limit` are never tried. */
  confirm(size: number, limit: number): void {
    if (this.value === undefined || size < this.value || ++this.#successes < provenAfter) return;
    this.#successes = 0;
    const raised = this.value + Math.max(1, this.value >> 2);
    this.value = raised >= limit ? undefined : raised;
  }
}

/** What a session has learned about its device: limits, sizes, quirks. */
export class Learned {
  oidsPerGet = new LearnedCeiling();
  varbindsPerReply = new LearnedCeiling();
  /** Columns and scalars that the device does not answer for. */
  readonly silent = new ExpiringOids();
  /** Tables that polls read by GET. */
  readonly misordered = new ExpiringOids();
  // Created when needed: most sessions never need it, and there are many thousands.
  #missing: Set<Oid> | undefined = undefined;
  #varbindsByColumn: Map<Oid, LearnedCeiling> | undefined = undefined;
  /** Varbinds of the largest reply to a compiled request. */
  #mostVarbinds = 0;
  #tables: Map<Oid, Mutable<TableState>> | undefined = undefined;

  /** Whether nothing was learned. */
  get isEmpty(): boolean {
    const ceilings = [this.oidsPerGet.value, this.varbindsPerReply.value];
    return (
      ceilings.every((value) => value === undefined) &&
      (this.#missing?.size ?? 0) +
        (this.#tables?.size ?? 0) +
        (this.#varbindsByColumn?.size ?? 0) +
        this.silent.size +
        this.misordered.size ===
        0
    );
  }

  get tables(): readonly TableState[] {
    const tables = new Map<Oid, TableState>(this.#tables);
    for (const [root, { value: maxVarbinds }] of this.#varbindsByColumn ?? [])
      if (maxVarbinds !== undefined) tables.set(root, { root, ...tables.get(root), maxVarbinds });
    return [...tables.values()];
  }

  get missing(): readonly Oid[] {
    return [...(this.#missing ?? [])];
  }

  find(root: Oid): TableState | undefined {
    return this.#tables?.get(root);
  }

  /** The varbinds that a reply to a compiled request may hold that begins with this column. */
  varbindsWithin(column: Oid, limit: number): number {
    return this.varbindsPerReply.within(this.#varbindsByColumn?.get(column)?.within(limit) ?? limit);
  }

  /** A reply with this many varbinds came to a compiled request. */
  confirmVarbinds(column: Oid, varbinds: number, limit: number): void {
    if (varbinds > this.#mostVarbinds) this.#mostVarbinds = varbinds;
    this.varbindsPerReply.confirm(varbinds, limit);
    const ceilings = this.#varbindsByColumn;
    const ceiling = ceilings?.get(column);
    if (ceiling === undefined) return;
    ceiling.confirm(varbinds, limit);
    if (ceiling.value === undefined) ceilings!.delete(column);
  }

  /**
   * Replies with more varbinds were too big. The limit is that of the table, because its values may be long. The same in several
   * tables shows that the device sends no larger replies: then it holds for all, but is never below what the device has sent.
   */
  shrinkVarbinds(column: Oid, varbinds: number): void {
    this.#varbindsByColumn ??= new Map();
    const ceilings = this.#varbindsByColumn;
    if (!ceilings.has(column)) {
      if (ceilings.size >= maxTables) ceilings.delete(ceilings.keys().next().value!);
      ceilings.set(column, new LearnedCeiling());
    }
    ceilings.get(column)!.shrinkTo(varbinds);
    const tables = new Set(Array.from(ceilings.keys(), tableOf));
    if (tables.size < tablesOfLimitedDevice) return;
    const limits = Array.from(ceilings.values(), ({ value }) => value ?? 0);
    this.varbindsPerReply.shrinkTo(Math.max(this.#mostVarbinds, ...limits));
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

  /** Infinity removes the ceiling. */
  learnCeiling(root: Oid, maxRepetitions: number): void {
    const isLimit = Number.isFinite(maxRepetitions);
    this.#table(root).maxRepetitions = isLimit ? Math.max(1, maxRepetitions) : undefined;
  }

  /** A walk succeeded: the ceiling is raised by a quarter, and removed at `limit`. */
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
    for (const { column, untilMs } of state.silent ?? []) this.silent.add(column, untilMs);
    for (const { table, untilMs } of state.misordered ?? []) this.misordered.add(table, untilMs);
    for (const { maxVarbinds, ...table } of state.tables.slice(0, 2 * maxTables)) {
      if (maxVarbinds !== undefined) {
        this.#varbindsByColumn ??= new Map();
        this.#varbindsByColumn.set(table.root, new LearnedCeiling(maxVarbinds));
      }
      if (Object.keys(table).length > 1) Object.assign(this.#table(table.root), table);
    }
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

/** The OID above a column. */
export function tableOf(column: Oid): Oid {
  return column.slice(0, column.lastIndexOf('.'));
}
