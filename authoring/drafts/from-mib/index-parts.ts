import type { MibNode } from '../../mib/index.ts';
import type { DraftIndexPart } from '../draft-set.ts';
import { meaningOf } from './column-meaning.ts';

/** How the arcs of a row become labels; `field` names the part at a place. */
export function indexPartsOf(
  columns: readonly MibNode[],
  implied: boolean,
  fieldFor: (column: MibNode, syntax: string) => string,
): { readonly parts: DraftIndexPart[]; readonly comments: string[] } {
  const parts: DraftIndexPart[] = [];
  for (const [place, column] of columns.entries()) {
    const isLast = place === columns.length - 1;
    const type = arcsOf(column, isLast, implied);
    if (type === undefined) {
      const names = columns.slice(place).map(({ name }) => name);
      const comments = [
        `decide: ${column.name} has a fixed length without a length in front, so ${names.join(', ')} are one label`,
      ];
      const name = fieldFor(column, 'ObjectIdentifier');
      parts.push({
        type: 'ImplicitObjectIdentifier',
        oid: column.oid,
        name,
        syntax: 'ObjectIdentifier',
        column: column.name,
      });
      return { parts, comments };
    }
    const syntax = labelSyntaxOf(column, type);
    parts.push({ type, oid: column.oid, name: fieldFor(column, syntax), syntax, column: column.name });
  }
  return { parts, comments: [] };
}

/** Undefined where a text of fixed length stands in front of other parts. */
function arcsOf(
  { type, typeName, ranges }: MibNode,
  isLast: boolean,
  implied: boolean,
): DraftIndexPart['type'] | undefined {
  const fixed =
    ranges?.length === 1 && ranges[0]!.min === ranges[0]!.max ? Number(ranges[0]!.min) : undefined;
  switch (type) {
    case 'IpAddress':
      return 'IpAddress';
    case 'ObjectIdentifier':
      return isLast && implied ? 'ImplicitObjectIdentifier' : 'ObjectIdentifier';
    case 'OctetString':
    case 'Opaque':
    case 'Bits':
      if (fixed === 6 || typeName === 'MacAddress') return 'MacAddress';
      if (fixed === 4) return 'IpAddress';
      if (fixed !== undefined) return isLast ? 'ImplicitOctetString' : undefined;
      return isLast && implied ? 'ImplicitOctetString' : 'OctetString';
    case 'Integer32':
      return 'Integer';
    default:
      return 'Unsigned32';
  }
}

function labelSyntaxOf(column: MibNode, type: DraftIndexPart['type']): string {
  const { typeName = '', enums } = column;
  if (/^InterfaceIndex/.test(typeName))
    return typeName === 'InterfaceIndexOrZero' ? typeName : 'InterfaceIndex';
  if (column.type === 'IpAddress') return 'IpAddress';
  if (type === 'MacAddress') return 'MacAddress';
  if (type === 'IpAddress') return 'MacAddressNoSuffix';
  if (enums !== undefined || column.type === 'OctetString')
    return meaningOf(column, false)?.syntax.replace('KeepID', '') ?? 'OctetString';
  if (column.type === 'ObjectIdentifier') return 'ObjectIdentifier';
  return type === 'Integer' ? 'IntegerAsID' : 'UnsignedAsID';
}
