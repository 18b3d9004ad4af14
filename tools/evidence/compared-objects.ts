import type { MibNode, MibSet } from '../../authoring/mib/index.ts';
import { findSyntax } from '../../src/definitions/syntax/syntax-table.ts';
import { normalizeOid } from '../../src/model/oid.ts';
import type { ShippedDefinitions } from './recorded-objects.ts';

/** What differs between an object and the module that it names; undefined where the module is not among the files. */
export function compareWithMib(
  id: string,
  { raw, objects }: ShippedDefinitions,
  mibs: MibSet,
): string[] | undefined {
  const { mib = '', object, attributes } = raw.objects.get(id)!;
  if (mibs.module(mib) === undefined) return undefined;
  const row = mibs.findWithin(mib, object ?? '');
  return [
    ...compareIndex(row, objects.get(id)!.index, mibs),
    ...Object.entries(attributes).flatMap(([name, { oid, syntax }]) => {
      const node = mibs.findWithin(mib, name);
      if (node?.oid === undefined) return [`${name} is not in ${mib}`];
      if (node.oid !== normalizeOid(oid)) return [`${name} is ${node.oid} in ${mib}`];
      if (node.access === 'not-accessible') return [`${name} cannot be read`];
      return [...compareType(name, syntax, node), ...compareEnum(name, node.oid, node, raw)];
    }),
  ];
}

function compareIndex(
  row: MibNode | undefined,
  index: readonly { readonly column?: string | undefined }[],
  mibs: MibSet,
): string[] {
  if (row?.kind !== 'row') return [];
  const own = row.index ?? (row.augments && mibs.findByName(row.augments)[0]?.index);
  if (own === undefined || own === '' || own.length === index.length) return [];
  return [`the index has ${own.length} parts in the MIB`];
}

function compareType(name: string, syntax: string, { type, typeName = '' }: MibNode): string[] {
  const input = findSyntax(syntax)?.kind;
  const isText = type === 'OctetString' || type === 'ObjectIdentifier' || type === 'IpAddress';
  if (input === 'counter' && isText) return [`${name} is ${typeName} in the MIB, not a counter`];
  return [];
}

function compareEnum(
  name: string,
  column: string,
  { enums }: MibNode,
  raw: ShippedDefinitions['raw'],
): string[] {
  const names = raw.integerEnums.get(column);
  if (names === undefined || enums === undefined) return [];
  const words = new Map(Object.entries(enums).map(([word, value]) => [String(value), word]));
  return Object.entries(names)
    .filter(([value, word]) => words.has(value) && words.get(value) !== word)
    .map(([value, word]) => `${name}: ${value} is ${words.get(value)} in the MIB, not ${word}`);
}
