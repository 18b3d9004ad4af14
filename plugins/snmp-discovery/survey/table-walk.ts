import { type CompiledObject, ownAttributes } from '../../../src/definitions/index.ts';
import type { Oid } from '../../../src/index.ts';
import { compareOids } from '../../../src/model/index.ts';
import {
  isException,
  type SnmpSession,
  type SnmpWalk,
  type Varbind,
  type WalkOutcome,
} from '../../../src/snmp/index.ts';
import { type DeviceBudget, weighInstance } from './device-budget.ts';
import { RowFilter } from './row-filter.ts';

export interface TableWalkOptions {
  readonly budget: DeviceBudget;
  readonly signal: AbortSignal;
  /** By object: a column that is known to have instances. */
  readonly firstColumns?: ReadonlyMap<string, Oid> | undefined;
}

/**
 * The walk of the objects of one record. They share their rows, so their discovery and overriding columns are walked side by side. The walk
 * can stop at a share of the budget and continue later. It keeps only instances.
 */
export class TableWalk {
  readonly objects: readonly CompiledObject[];
  /** By column: the index arcs of its instances, in the order of the replies. */
  readonly instances = new Map<Oid, string[]>();
  /** Why the walk of a column did not reach its end, by column. */
  readonly partial = new Map<Oid, string>();
  /** The share of the budget that it has taken. */
  share = 0;
  isOver = false;
  /** Instances in discovery columns, and the memory of all instances. */
  rows = 0;
  bytes = 0;
  readonly #budget: DeviceBudget;
  /** By discovery column, the number of attributes of its objects; 0 for other columns. */
  readonly #attributesByColumn: ReadonlyMap<Oid, number>;
  /** By column that a condition reads. */
  readonly #filters = new Map<Oid, RowFilter[]>();
  readonly #firstColumns: ReadonlyMap<string, Oid>;
  readonly #session: SnmpSession;
  readonly #signal: AbortSignal;
  hasBegun = false;
  /** What is walked, and the column that its instances count for: another one than itself for a substitute. */
  #columnByRoot: ReadonlyMap<Oid, Oid>;
  /** By discovery column that is not answered or has no rows: the columns whose rows are used instead. */
  readonly #substitutes = new Map<Oid, Oid[]>();
  #walk: SnmpWalk | undefined = undefined;
  #replies: AsyncIterator<readonly Varbind[]> | undefined = undefined;
  /** What a reply had beyond the share. */
  #rest: readonly Varbind[] = [];

  constructor(
    session: SnmpSession,
    objects: readonly CompiledObject[],
    { budget, signal, firstColumns = new Map() }: TableWalkOptions,
  ) {
    this.objects = objects;
    this.#session = session;
    this.#budget = budget;
    this.#signal = signal;
    this.#firstColumns = firstColumns;
    const columns = new Map<Oid, number>();
    for (const object of objects) {
      const discovery = discoveryColumnOf(object);
      for (const column of columnsOf(object).values()) {
        const attributes = column === discovery ? object.attributes.size : 0;
        columns.set(column, (columns.get(column) ?? 0) + attributes);
      }
    }
    this.#attributesByColumn = columns;
    for (const object of objects) {
      for (const condition of object.rows ?? []) {
        const { column } = object.attributes.get(condition.attribute ?? '')!;
        const filters = this.#filters.get(column) ?? [];
        this.#filters.set(column, [...filters, new RowFilter(object, condition)]);
      }
    }
    for (const column of columns.keys()) this.instances.set(column, []);
    this.#columnByRoot = new Map(Array.from(columns.keys(), (column) => [column, column]));
  }

  /** Whether the device answered for none of the rows. */
  get isUnanswered(): boolean {
    return this.rows === 0 && this.objects.some((object) => this.lacksRows(object));
  }

  /** Whether the device did not answer for the rows of this object. */
  lacksRows(object: CompiledObject): boolean {
    const discovery = discoveryColumnOf(object);
    return this.partial.get(discovery) === 'unanswered' && this.instances.get(discovery)?.length === 0;
  }

  /** What decides whether a row belongs to this object. */
  filtersOf(object: CompiledObject): readonly RowFilter[] {
    return [...this.#filters.values()].flat().filter((filter) => filter.object === object);
  }

  /** Continues until the table ends or has taken this share. `onRows` receives the number of new rows of each reply. */
  async readTo(share: number, onRows: (count: number) => void): Promise<void> {
    while (!this.isOver) {
      if (this.#rest.length === 0) {
        this.#walk ??= this.#begin();
        this.#replies ??= this.#walk[Symbol.asyncIterator]();
        const { value, done } = await this.#replies.next();
        if (done === true) {
          this.isOver = !this.#walkSubstitutes(this.#walk.outcome);
          if (this.isOver) return;
          continue;
        }
        this.#rest = value;
      }
      const before = this.rows;
      const taken = this.#take(this.#rest, share);
      this.#rest = this.#rest.slice(taken);
      onRows(this.rows - before);
      if (this.#rest.length > 0) return;
    }
  }

  /** Ends a walk that has not reached its end. */
  async stop(): Promise<void> {
    this.#rest = [];
    await this.#replies?.return?.();
  }

  /** Gives the memory of the instances back. */
  forget(): void {
    this.instances.clear();
    this.#filters.clear();
  }

  /** When a walk has ended: finds the rows of objects whose discovery column is not answered or has none by other columns, if there are some. */
  #walkSubstitutes({ partial, varbinds }: WalkOutcome): boolean {
    for (const { root, reason } of partial) this.partial.set(this.#columnByRoot.get(root)!, reason);
    const isTableSilent = varbinds === 0 && this.#columnByRoot.size > 1;
    const next = new Map<Oid, Oid>();
    const isHandled = new Set<Oid>();
    for (const object of this.objects) {
      const discovery = discoveryColumnOf(object);
      if (isHandled.has(discovery)) continue;
      const first = this.#firstColumns.get(object.id);
      const isKnown = first !== undefined && this.instances.get(discovery)?.length === 0;
      if (isTableSilent ? !isKnown : !isKnown && !this.lacksRows(object)) continue;
      const left = this.#substitutes.get(discovery) ?? listSubstitutes(object, first);
      this.#substitutes.set(discovery, left);
      isHandled.add(discovery);
      const substitute = left.shift();
      if (substitute !== undefined) next.set(substitute, discovery);
    }
    this.#columnByRoot = next;
    this.#walk = undefined;
    this.#replies = undefined;
    return next.size > 0;
  }

  #begin(): SnmpWalk {
    this.hasBegun = true;
    return this.#session.walk([...this.#columnByRoot.keys()], {
      signal: this.#signal,
      maxVarbinds: Number.POSITIVE_INFINITY,
      withinMs: this.#budget.leftMs,
    });
  }

  /** Keeps the instances of these varbinds as far as the share allows, and returns the number of varbinds that were handled. */
  #take(varbinds: readonly Varbind[], share: number): number {
    for (const [position, varbind] of varbinds.entries()) {
      const { oid, type } = varbind;
      if (isException(type)) continue;
      const root = this.#findRoot(oid);
      if (root === undefined) continue;
      const column = this.#columnByRoot.get(root)!;
      const attributes = this.#attributesByColumn.get(column)!;
      const rows = this.rows + Number(attributes > 0);
      const bytes = this.bytes + weighInstance(oid.length - root.length - 1, attributes);
      const next = this.#budget.shareOf(rows, bytes);
      if (next > share || this.#budget.isMemoryShort) return position;
      this.#budget.takeBytes(bytes - this.bytes);
      this.rows = rows;
      this.bytes = bytes;
      this.share = next;
      const instance = detach(oid.slice(root.length + 1));
      this.instances.get(column)!.push(instance);
      if (root === column)
        for (const filter of this.#filters.get(column) ?? []) filter.note(instance, varbind);
    }
    return varbinds.length;
  }

  #findRoot(oid: Oid): Oid | undefined {
    for (const root of this.#columnByRoot.keys()) {
      if (oid.startsWith(root) && oid.charCodeAt(root.length) === dot) return root;
    }
    return undefined;
  }
}

const maxSubstitutes = 2;
const dot = 0x2e;
/** V8 keeps the whole text alive for a longer part of it. */
const maxCopiedCharacters = 12;

function detach(part: string): string {
  return part.length > maxCopiedCharacters ? Buffer.from(part, 'latin1').toString('latin1') : part;
}

/**
 * Other columns of an object, of which each row has one most likely. Where the first column with an instance is known, those from there on
 * that hold a value: rows with labels alone are worth nothing.
 */
function listSubstitutes(object: CompiledObject, first: Oid | undefined): Oid[] {
  const discovery = discoveryColumnOf(object);
  const attributes = [...ownAttributes(object.attributes)].filter(({ column }) => column !== discovery);
  const columns =
    first === undefined
      ? attributes.map(({ column }) => column)
      : attributes
          .filter(({ sensor, metric }) => sensor !== undefined || metric !== undefined)
          .map(({ column }) => column)
          .filter((column) => compareOids(column, first) >= 0)
          .sort(compareOids);
  return columns.slice(0, maxSubstitutes);
}

export function discoveryColumnOf({ attributes, discoveryAttribute = '' }: CompiledObject): Oid {
  return attributes.get(discoveryAttribute)?.column ?? '';
}

/** The columns to walk, by attribute: the discovery attribute, attributes that override others, and those that conditions read. */
export function columnsOf({
  attributes,
  discoveryAttribute,
  rows = [],
}: CompiledObject): ReadonlyMap<string, Oid> {
  const columns = new Map<string, Oid>();
  for (const { name, column, overrides } of ownAttributes(attributes)) {
    const isRead = rows.some(({ attribute }) => attribute === name);
    if (name === discoveryAttribute || overrides.length > 0 || isRead) columns.set(name, column);
  }
  return columns;
}
