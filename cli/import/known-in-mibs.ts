import { findGroups, indexPartsOf, type MibGroup, meaningOf } from '../../authoring/drafts/index.ts';
import type { KnownColumn, KnownDefinitions, KnownIndexPart } from '../../authoring/import/index.ts';
import type { MibNode, MibSet } from '../../authoring/mib/index.ts';
import { findSyntax } from '../../src/definitions/index.ts';

/** Adds what MIB files say about columns and tables that no definition of `known` has. */
export function addMibs(known: KnownDefinitions, mibs: MibSet): KnownDefinitions {
  const indexes = new Map(known.indexes);
  const counters = new Map(known.counters);
  const gauges = new Set(known.gauges);
  const texts = new Map<string, string>();
  const columns = new Map(known.columns);
  const tables = new Map<string, readonly KnownColumn[]>();
  const scalars = new Set<string>();
  const addColumn = (node: MibNode, isTable: boolean) => {
    const { module, name, oid, type } = node;
    if (oid === undefined) return;
    columns.set(`${module}::${name}`, oid);
    if (type === 'Counter32' || type === 'Counter64') counters.set(oid, counters.get(oid) ?? type);
    else if (numbers.has(type!)) gauges.add(oid);
    else texts.set(oid, textSyntaxOf(node, isTable));
  };
  for (const module of mibs.modules()) {
    for (const group of findGroups(module, mibs)) {
      for (const column of group.columns) {
        addColumn(column, group.index !== undefined);
        if (group.index === undefined && column.oid !== undefined) scalars.add(column.oid);
      }
      const index = readIndex(group);
      if (index === undefined) continue;
      if (!indexes.has(group.oid)) indexes.set(group.oid, index);
      const table = module.nodes.find(({ kind, oid }) => kind === 'table' && `${oid}.1` === group.oid);
      const readable = readableColumns(group);
      for (const key of [table?.oid, table && `${module.name}::${table.name}`])
        if (key !== undefined) tables.set(key, readable);
    }
  }
  // sysUpTimeInstance is the value of sysUpTime.
  for (const { module, name, kind, oid = '' } of mibs.modules().flatMap(({ nodes }) => nodes)) {
    const scalar = oid.replace(/\.0$/, '');
    if (kind === 'node' && scalar !== oid && scalars.has(scalar)) columns.set(`${module}::${name}`, scalar);
  }
  return { ...known, indexes, counters, gauges, texts, columns, tables };
}

const numbers = new Set(['Integer32', 'Unsigned32', 'Gauge32', 'TimeTicks']);

function textSyntaxOf(node: MibNode, isTable: boolean): string {
  const { syntax = 'OctetString', metric } = meaningOf(node, isTable) ?? {};
  // Importers bring the names of enums themselves.
  return metric !== undefined || syntax.startsWith('Enum') ? 'OctetString' : syntax;
}

/** Undefined for scalars, and where a part of the index is in no module. */
function readIndex({ index }: MibGroup): readonly KnownIndexPart[] | undefined {
  if (index?.columns === undefined) return undefined;
  const { parts } = indexPartsOf(index.columns, index.implied, ({ name }) => name);
  return parts.map(({ type, oid, column, syntax = '' }) => ({
    type,
    oid,
    label: column,
    syntax: syntax.startsWith('Enum')
      ? 'IntegerAsID'
      : findSyntax(syntax)?.suffix === ''
        ? syntax
        : undefined,
  }));
}

/** Without the parts of the index, which are labels. */
function readableColumns({ index, columns }: MibGroup): KnownColumn[] {
  const parts = new Set(index!.columns!.map(({ oid }) => oid));
  return columns.flatMap(({ name, oid, access = 'read-only', status }) =>
    oid === undefined || parts.has(oid) || !access.startsWith('read-') || status === 'obsolete'
      ? []
      : [{ name, oid }],
  );
}
