import type { Oid } from '../../model/oid.ts';
import type { CompiledDefinitions } from '../compiler/compiled-definitions.ts';
import { enumIdFor } from '../compiler/links/enum-finder.ts';
import type { ColumnNames } from '../syntax/decode/column-decoder.ts';

/** The names that a decoder of this syntax needs for a column or an index part. */
export function columnNamesFor(
  { enums, oidNames }: Pick<CompiledDefinitions, 'enums' | 'oidNames'>,
  syntax: string,
  column: Oid | undefined,
): ColumnNames {
  const id = column === undefined ? undefined : enumIdFor(syntax, column);
  return { column: id === undefined ? undefined : enums.get(id)?.names, oids: oidNames };
}
