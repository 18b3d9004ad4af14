import type { CompiledDefinitions, CompiledObject, ObjectWish } from '../../../src/definitions/index.ts';
import {
  AutoCatalog,
  chooseObjects,
  findLeftOut,
  findUnaffordable,
  type LeftOutReason,
  leftOutText,
  listRootReasons,
  ownAttributes,
  type PollBudget,
  rootOf,
} from '../../../src/definitions/index.ts';
import type { Oid } from '../../../src/model/index.ts';
import { type KnownArc, type KnownColumn, type KnownTable, plantColumns } from './known-columns.ts';
import { OidArcs } from './oid-arcs.ts';
import { PackedOids } from './packed-oids.ts';
import { cutSubtrees, type Subtree } from './subtrees.ts';

export interface Coverage {
  /** Values of the objects that are collected. */
  readonly collected: readonly ObjectValues[];
  /** Values of objects that are defined and not collected, and why. */
  readonly elsewhere: readonly (ObjectValues & { readonly why: string })[];
  /** Values that no attribute reads, the largest subtrees first. */
  readonly uncollected: readonly UncollectedValues[];
  /** Standard MIBs and vendors that the device answers and nothing collects, the largest first. */
  readonly uncollectedRoots: readonly UncollectedRoot[];
  /** Objects that the device group names, without any value. */
  readonly unanswered: readonly string[];
  /** Attributes without a value, in objects that are collected. */
  readonly missing: readonly MissingAttributes[];
}

export interface UncollectedRoot {
  readonly oid: Oid;
  readonly values: number;
  /** Of docs/definitions.md. */
  readonly why: readonly LeftOutReason[];
}

export interface ObjectValues {
  readonly object: string;
  readonly values: number;
}

export interface UncollectedValues extends Subtree {
  /** Set when these are further columns of the table of this object. */
  readonly object?: string;
}

export interface MissingAttributes {
  readonly object: string;
  readonly attributes: readonly string[];
}

/** The definitions that OIDs are compared with. */
export interface KnownDefinitions extends Pick<CompiledDefinitions, 'everyMsByType'> {
  readonly catalog: AutoCatalog;
  readonly columns: KnownArc;
}

export function knownIn({
  objects,
  everyMsByType,
}: Pick<CompiledDefinitions, 'objects' | 'everyMsByType'>): KnownDefinitions {
  return { catalog: new AutoCatalog(objects), columns: plantColumns(objects), everyMsByType };
}

/** Counts the OIDs of a device by the definitions that read them, while they arrive in their order. */
export class CoverageTally {
  values = 0;
  readonly unknown = new PackedOids();
  readonly #catalog: AutoCatalog;
  readonly #everyMsByType: CompiledDefinitions['everyMsByType'];
  readonly #oid = new OidArcs();
  readonly #columns = new Map<Oid, { readonly objects: readonly string[]; values: number }>();
  /** By object: columns of its table that it does not read. */
  readonly furtherColumns = new Map<string, FurtherColumns>();
  readonly #roots = new Map<Oid, number>();
  #root = '';
  /** What the first arcs of the current OID lead to, by their number. */
  readonly #matches: Match[];
  /** How many arcs the OIDs since the last unknown one have in common with it. */
  #sharedUnknown = 0;

  constructor({ catalog, columns, everyMsByType }: KnownDefinitions) {
    this.#catalog = catalog;
    this.#everyMsByType = everyMsByType;
    this.#matches = [{ node: columns, column: undefined, table: undefined }];
  }

  /** Adds an OID by its content octets. Returns false when it is smaller than the one before: the count is wrong then. */
  add(octets: Uint8Array): boolean {
    const oid = this.#oid;
    if (!oid.next(octets)) return false;
    const { arcs, length, shared } = oid;
    if (shared === length) return true;
    this.values++;
    this.#sharedUnknown = Math.min(this.#sharedUnknown, shared);
    for (let depth = shared; depth < length; depth++) {
      this.#matches[depth + 1] = followArc(this.#matches[depth]!, arcs[depth]!, depth + 1);
    }
    this.#countRoot(shared);
    // The OID itself is an instance, never a column.
    const { column, table } = this.#matches[length - 1]!;
    if (column !== undefined) {
      const known = this.#columns.get(column.oid);
      if (known === undefined) this.#columns.set(column.oid, { objects: column.objects, values: 1 });
      else known.values++;
    } else if (table !== undefined) this.#countFurther(table, arcs[table.depth]!);
    else {
      this.unknown.add(oid, this.#sharedUnknown);
      this.#sharedUnknown = length;
    }
    return true;
  }

  /** Whether one of the object's columns has a value. */
  answers(object: string): boolean {
    return this.#countRows(object) > 0;
  }

  /** The rows of the longest column. */
  #countRows(id: string): number {
    const { attributes } = this.#catalog.objects.get(id) ?? { attributes: new Map() };
    let rows = 0;
    for (const { column } of ownAttributes(attributes)) {
      rows = Math.max(rows, this.#columns.get(column)?.values ?? 0);
    }
    return rows;
  }

  /** What the definitions collect of the OIDs. */
  finish(wish: ObjectWish, budget: PollBudget): Coverage {
    const { objects } = this.#catalog;
    const choice = chooseObjects(objects.values(), wish, (id) => this.answers(id));
    const rowsOf = (id: string) => this.#countRows(id);
    const tooMuch = wish.isAuto
      ? findUnaffordable(choice.chosen, rowsOf, wish.named, {}, this.#everyMsByType, budget)
      : [];
    const leftOut = new Map([
      ...Array.from(choice.replaced, ([id, by]) => [id, leftOutText({ why: 'replaced', by })] as const),
      ...tooMuch.map((id) => [id, leftOutText({ why: 'budget' })] as const),
    ]);
    const chosen = choice.chosen.filter(({ id }) => !leftOut.has(id));
    const isChosen = new Set(chosen.map(({ id }) => id));
    const auto = { roots: [], uncollected: [], leftOut: Object.fromEntries(leftOut) };
    const explain = (object: CompiledObject) => findLeftOut(object, wish, auto, this.#catalog);
    const collectedRoots = new Set<Oid>();
    const values = new Map<string, number>();
    for (const [oid, { objects: readers, values: count }] of this.#columns) {
      const object = readers.find((id) => isChosen.has(id)) ?? readers[0]!;
      values.set(object, (values.get(object) ?? 0) + count);
      if (isChosen.has(object)) collectedRoots.add(rootOf(oid));
    }
    const counted = [...values].map(([object, count]) => ({ object, values: count }));
    const uncollected = [
      ...[...this.furtherColumns].map(([object, { oid, columns }]) => ({
        oid,
        object,
        values: [...columns.values()].reduce((sum, count) => sum + count, 0),
        columns: columns.size,
      })),
      ...cutSubtrees(this.unknown),
    ];
    return {
      collected: counted.filter(({ object }) => isChosen.has(object)).sort(mostFirst),
      elsewhere: counted
        .filter(({ object }) => !isChosen.has(object))
        .sort(mostFirst)
        .map((line) => ({ ...line, why: leftOutText(explain(objects.get(line.object)!)) })),
      uncollected: uncollected.sort(mostFirst),
      uncollectedRoots: [...this.#roots]
        .filter(([oid]) => !collectedRoots.has(oid))
        .map(([oid, count]) => ({
          oid,
          values: count,
          why: listRootReasons(this.#catalog.objectsBelow(oid), explain),
        }))
        .sort(mostFirst),
      unanswered: [...wish.named].filter(
        (object) => objects.has(object) && !isChosen.has(object) && !this.answers(object),
      ),
      missing: chosen.flatMap(({ id, attributes }) => {
        const absent = [...attributes.values()].filter(({ column }) => !this.#columns.has(column));
        return absent.length === 0 ? [] : [{ object: id, attributes: absent.map(({ name }) => name) }];
      }),
    };
  }

  #countFurther({ oid, object }: TableMatch, column: number): void {
    const further = this.furtherColumns.get(object) ?? { oid, columns: new Map() };
    this.furtherColumns.set(object, further);
    further.columns.set(column, (further.columns.get(column) ?? 0) + 1);
  }

  /** Only an OID with another beginning than the one before may have another root. */
  #countRoot(shared: number): void {
    const { arcs, length } = this.#oid;
    if (shared < maxRootArcs) {
      this.#root = rootOf(arcs.subarray(0, Math.min(length, maxRootArcs + 1)).join('.'));
    }
    this.#roots.set(this.#root, (this.#roots.get(this.#root) ?? 0) + 1);
  }
}

/** A root has at most this many arcs. */
const maxRootArcs = 8;

export interface FurtherColumns {
  /** Of the entry of the table. */
  readonly oid: Oid;
  /** How many values each column has. */
  readonly columns: Map<number, number>;
}

type TableMatch = KnownTable & { readonly depth: number };

interface Match {
  readonly node: KnownArc | undefined;
  /** The innermost ones so far. */
  readonly column: KnownColumn | undefined;
  readonly table: TableMatch | undefined;
}

/** What one more arc leads to. */
function followArc(match: Match, arc: number, depth: number): Match {
  const { node, column, table } = match;
  if (node === undefined) return match;
  const below = node.children.get(arc);
  return {
    node: below,
    column: below?.column ?? column,
    table: below?.table === undefined ? table : { ...below.table, depth },
  };
}

function mostFirst(left: Pick<Subtree, 'values'>, right: Pick<Subtree, 'values'>): number {
  return right.values - left.values;
}
