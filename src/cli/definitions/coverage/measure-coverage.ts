import type {
  CompiledDefinitions,
  CompiledObject,
} from '../../../definitions/compiler/compiled-definitions.ts';
import { parentOid } from '../../../definitions/parent-oid.ts';
import type { Oid } from '../../../model/oid.ts';
import { OidArcs } from './oid-arcs.ts';
import { PackedOids } from './packed-oids.ts';
import { cutSubtrees, type Subtree } from './subtrees.ts';

export interface Coverage {
  /** Values of the objects of the device group. */
  readonly collected: readonly ObjectValues[];
  /** Values of objects that are defined, but not in the device group. */
  readonly elsewhere: readonly ObjectValues[];
  /** Values that no attribute reads, the largest subtrees first. */
  readonly uncollected: readonly UncollectedValues[];
  /** Objects of the device group without any value. */
  readonly unanswered: readonly string[];
  /** Attributes without a value, in objects that have values. */
  readonly missing: readonly MissingAttributes[];
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

/** Counts the OIDs of a device by the definitions that read them, while they arrive in their order. */
export class CoverageTally {
  values = 0;
  readonly unknown = new PackedOids();
  readonly #objects: CompiledDefinitions['objects'];
  readonly #oid = new OidArcs();
  readonly #values = new Map<string, number>();
  readonly #answered = new Set<Oid>();
  /** By object: columns of its table that it does not read. */
  readonly furtherColumns = new Map<string, FurtherColumns>();
  /** What the first arcs of the current OID lead to, by their number. */
  readonly #matches: Match[];
  /** How many arcs the OIDs since the last unknown one have in common with it. */
  #sharedUnknown = 0;

  constructor({ objects }: Pick<CompiledDefinitions, 'objects'>) {
    this.#objects = objects;
    this.#matches = [{ node: buildTree(objects), column: undefined, table: undefined }];
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
    // The OID itself is an instance, never a column.
    const { column, table } = this.#matches[length - 1]!;
    if (column !== undefined) {
      this.#answered.add(column.oid);
      this.#values.set(column.object, (this.#values.get(column.object) ?? 0) + 1);
    } else if (table !== undefined) this.#countFurther(table, arcs[table.depth]!);
    else {
      this.unknown.add(oid, this.#sharedUnknown);
      this.#sharedUnknown = length;
    }
    return true;
  }

  /** What the definitions collect of the OIDs. `wanted` are the objects that would be polled. */
  finish(wanted: ReadonlySet<string>): Coverage {
    const values = this.#values;
    const objects = this.#objects;
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
      collected: counted.filter(({ object }) => wanted.has(object)).sort(mostFirst),
      elsewhere: counted.filter(({ object }) => !wanted.has(object)).sort(mostFirst),
      uncollected: uncollected.sort(mostFirst),
      unanswered: [...wanted].filter((object) => objects.has(object) && !values.has(object)),
      missing: [...objects.values()].flatMap(({ id, attributes }) => {
        if (!wanted.has(id) || !values.has(id)) return [];
        const absent = [...attributes.values()].filter(({ column }) => !this.#answered.has(column));
        return absent.length === 0 ? [] : [{ object: id, attributes: absent.map(({ name }) => name) }];
      }),
    };
  }

  #countFurther({ oid, object }: TableMatch, column: number): void {
    const further = this.furtherColumns.get(object) ?? { oid, columns: new Map() };
    this.furtherColumns.set(object, further);
    further.columns.set(column, (further.columns.get(column) ?? 0) + 1);
  }
}

export interface FurtherColumns {
  /** Of the entry of the table. */
  readonly oid: Oid;
  /** How many values each column has. */
  readonly columns: Map<number, number>;
}

/** An arc of the columns and tables that the definitions know. */
interface TreeNode {
  readonly children: Map<number, TreeNode>;
  column?: { readonly oid: Oid; readonly object: string };
  table?: { readonly oid: Oid; readonly object: string };
}

type TableMatch = NonNullable<TreeNode['table']> & { readonly depth: number };

interface Match {
  readonly node: TreeNode | undefined;
  /** The innermost ones so far. */
  readonly column: TreeNode['column'];
  readonly table: TableMatch | undefined;
}

function buildTree(objects: CompiledDefinitions['objects']): TreeNode {
  const root: TreeNode = { children: new Map() };
  for (const [oid, object] of columnsOf(objects)) nodeAt(root, oid).column = { oid, object };
  for (const [oid, object] of tablesOf(objects)) nodeAt(root, oid).table = { oid, object };
  return root;
}

function nodeAt(root: TreeNode, oid: Oid): TreeNode {
  let node = root;
  for (const arc of oid.split('.').map(Number)) {
    const below: TreeNode = node.children.get(arc) ?? { children: new Map() };
    node.children.set(arc, below);
    node = below;
  }
  return node;
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

/** The object that reads each column, index columns included. An attribute takes precedence over a part of an index. */
function columnsOf(objects: CompiledDefinitions['objects']): Map<Oid, string> {
  const columns = new Map<Oid, string>();
  for (const { id, attributes } of objects.values()) {
    for (const { column } of attributes.values()) if (!columns.has(column)) columns.set(column, id);
  }
  for (const { id, record, index } of objects.values()) {
    if (record !== id) continue;
    for (const { column } of index) if (column !== undefined && !columns.has(column)) columns.set(column, id);
  }
  return columns;
}

function tablesOf(objects: CompiledDefinitions['objects']): Map<Oid, string> {
  const tables = new Map<Oid, string>();
  for (const { id, index, attributes } of objects.values()) {
    if (index.length === 0) continue;
    for (const { column } of attributes.values()) {
      const entry = parentOid(column);
      if (!tables.has(entry)) tables.set(entry, id);
    }
  }
  return tables;
}

function mostFirst(left: Pick<Subtree, 'values'>, right: Pick<Subtree, 'values'>): number {
  return right.values - left.values;
}

/** The objects of a device group, or all of them. */
export function objectsOf(
  { objects, deviceGroups }: Pick<CompiledDefinitions, 'objects' | 'deviceGroups'>,
  deviceGroup: string | undefined,
): ReadonlySet<CompiledObject['id']> {
  const group = deviceGroup === undefined ? undefined : deviceGroups.get(deviceGroup);
  return new Set(group === undefined ? objects.keys() : group.objects);
}
