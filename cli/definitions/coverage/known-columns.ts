import type { CompiledDefinitions } from '../../../src/definitions/index.ts';
import { ownAttributes } from '../../../src/definitions/own-attributes.ts';
import { parentOid } from '../../../src/definitions/parent-oid.ts';
import type { Oid } from '../../../src/model/index.ts';

/** A column that objects read. */
export interface KnownColumn {
  readonly oid: Oid;
  /** In file order; an object with an attribute for it comes before one that only has it in its index. */
  readonly objects: readonly string[];
}

/** A table of an object. */
export interface KnownTable {
  readonly oid: Oid;
  readonly object: string;
}

/** An arc of the columns and tables that the definitions know. */
export interface KnownArc {
  readonly children: Map<number, KnownArc>;
  column?: KnownColumn;
  table?: KnownTable;
}

/** The columns and tables of all objects as one tree of arcs. It serves any number of recordings. */
export function plantColumns(objects: CompiledDefinitions['objects']): KnownArc {
  const root: KnownArc = { children: new Map() };
  for (const [oid, readers] of columnsOf(objects)) arcAt(root, oid).column = { oid, objects: readers };
  for (const [oid, object] of tablesOf(objects)) arcAt(root, oid).table = { oid, object };
  return root;
}

function arcAt(root: KnownArc, oid: Oid): KnownArc {
  let node = root;
  for (const arc of oid.split('.').map(Number)) {
    const below: KnownArc = node.children.get(arc) ?? { children: new Map() };
    node.children.set(arc, below);
    node = below;
  }
  return node;
}

/** The objects that read each column, index columns included. An attribute takes precedence over a part of an index. */
function columnsOf(objects: CompiledDefinitions['objects']): Map<Oid, string[]> {
  const columns = new Map<Oid, string[]>();
  const add = (column: Oid, id: string) => {
    const readers = columns.get(column);
    if (readers === undefined) columns.set(column, [id]);
    else if (!readers.includes(id)) readers.push(id);
  };
  for (const { id, attributes } of objects.values()) {
    for (const { column } of ownAttributes(attributes)) add(column, id);
  }
  for (const { id, attributes } of objects.values()) {
    for (const { column, at } of attributes.values()) if (at !== undefined) add(column, id);
  }
  for (const { id, table, index } of objects.values()) {
    if (table !== id) continue;
    for (const { column } of index)
      if (column !== undefined && !columns.has(column)) columns.set(column, [id]);
  }
  return columns;
}

function tablesOf(objects: CompiledDefinitions['objects']): Map<Oid, string> {
  const tables = new Map<Oid, string>();
  for (const { id, index, attributes } of objects.values()) {
    if (index.length === 0) continue;
    for (const { column } of ownAttributes(attributes)) {
      const entry = parentOid(column);
      if (!tables.has(entry)) tables.set(entry, id);
    }
  }
  return tables;
}
