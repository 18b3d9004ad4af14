import type { Oid } from '../../../src/model/index.ts';
import type { DraftAttribute, DraftIndexPart, DraftObject } from '../draft-set.ts';

/** A table or a group of scalars that a device has and no MIB describes. */
export interface UnnamedTable {
  /** Of the entry, or of the parent of scalars. */
  readonly oid: Oid;
  readonly columns: readonly UnnamedColumn[];
  /** How many arcs the instances have; undefined where they differ. 0 for scalars. */
  readonly instanceArcs: number | undefined;
}

export interface UnnamedColumn {
  readonly arc: number;
  /** As in `Counter64`. */
  readonly type: UnnamedType;
  readonly values: number;
}

export type UnnamedType =
  | 'Integer32'
  | 'OctetString'
  | 'ObjectIdentifier'
  | 'IpAddress'
  | 'Counter32'
  | 'Gauge32'
  | 'TimeTicks'
  | 'Counter64'
  | 'UInteger32';

/** Objects with numbers for names, in the order of the tables. What the values mean is for a person to find out. */
export function draftTables(tables: readonly UnnamedTable[], file: string): DraftObject[] {
  return tables.map((table) => draftTable(table, file));
}

function draftTable({ oid, columns, instanceArcs }: UnnamedTable, file: string): DraftObject {
  const [, enterprise, below] = /^1\.3\.6\.1\.4\.1\.(\d+)((?:\.\d+)*)$/.exec(oid) ?? [];
  const number = (below ?? `.${oid}`).slice(1).replaceAll('.', '_');
  const isTable = instanceArcs !== 0;
  const kind = isTable ? 'entry' : 'scalars';
  const owner = enterprise === undefined ? 'unnamed' : `enterprise_${enterprise}`;
  const root = `${owner}.${kind}${number === '' ? '' : `_${number}`}`;
  const rows = Math.max(...columns.map(({ values }) => values));
  const count = isTable ? counted(rows, 'row') : counted(columns.length, 'value');
  const discovery = columns.find(({ values }) => values === rows)!;
  return {
    file,
    mib: enterprise === undefined ? 'UNNAMED' : `ENTERPRISE-${enterprise}`,
    entry: number === '' ? kind : `${kind}_${number}`,
    type: 'dynamic',
    comments: [
      `decide: what ${oid} is (${count}), what its ${isTable ? 'columns' : 'values'} are called, and which are worth collecting`,
    ],
    index: isTable ? indexOf(root, instanceArcs) : undefined,
    discoveryAttribute: isTable ? `column_${discovery.arc}` : undefined,
    attributes: columns.map((column) => attributeOf(column, oid, root, isTable)),
  };
}

function counted(count: number, noun: string): string {
  return `${count} ${noun}${count === 1 ? '' : 's'}`;
}

/** More parts are rarely numbers: texts and addresses are one arc for each octet. */
const maxParts = 4;

function indexOf(root: string, arcs: number | undefined): DraftIndexPart[] {
  if (arcs === undefined || arcs > maxParts)
    return [{ type: 'ImplicitObjectIdentifier', name: `${root}.row`, syntax: 'ObjectIdentifier' }];
  return Array.from({ length: arcs }, (_, part) => ({
    type: 'Unsigned32',
    name: arcs === 1 ? `${root}.row` : `${root}.row_${part + 1}`,
    syntax: 'UnsignedAsID',
  }));
}

const syntaxes: Readonly<Record<UnnamedType, Pick<DraftAttribute, 'syntax' | 'metric' | 'unit'>>> = {
  Integer32: { syntax: 'Integer32', metric: 'gauge', unit: '1' },
  UInteger32: { syntax: 'Unsigned32', metric: 'gauge', unit: '1' },
  Gauge32: { syntax: 'Gauge32', metric: 'gauge', unit: '1' },
  Counter32: { syntax: 'Counter32', metric: 'counter' },
  Counter64: { syntax: 'Counter64', metric: 'counter' },
  TimeTicks: { syntax: 'TicksCentiSec', metric: 'gauge' },
  OctetString: { syntax: 'OctetString' },
  IpAddress: { syntax: 'IpAddress' },
  ObjectIdentifier: { syntax: 'ObjectIdentifier' },
};

function attributeOf({ arc, type }: UnnamedColumn, oid: Oid, root: string, isTable: boolean): DraftAttribute {
  const key = isTable ? `column_${arc}` : `scalar_${arc}`;
  return {
    key,
    oid: `${oid}.${arc}`,
    name: `${root}.${key}`,
    ...syntaxes[type],
    description: `Value of ${oid}.${arc}`,
  };
}
