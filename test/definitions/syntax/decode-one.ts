import { type ColumnNames, createDecoder } from '../../../src/definitions/syntax/decode/column-decoder.ts';
import type { DecodeOptions } from '../../../src/definitions/syntax/decode/decode-options.ts';
import type { RawColumn } from '../../../src/definitions/syntax/decode/raw-column.ts';
import { findSyntax } from '../../../src/definitions/syntax/syntax-table.ts';
import { type Column, type Value, valueAt } from '../../../src/model/batch.ts';
import { rawOf } from './raw-notation.ts';

/** The enums of the test cases. */
const caseNames: ColumnNames = {
  column: new Map([
    [0, 'first'],
    [1, 'up'],
    [2, 'down'],
  ]),
  oids: new Map([['1.3.6.1.2.1.25.2.1.4', 'fixedDisk']]),
};

const bitNames: ColumnNames = {
  column: new Map([
    [0, 'first'],
    [2, 'third'],
    [9, 'tenth'],
  ]),
};

interface Decoded {
  readonly kind: string | undefined;
  readonly value: Value | undefined;
  readonly gap: number;
  readonly unnamed: number;
}

/** Decodes one raw value as a column of one row. */
export function decodeOne(syntaxName: string, raw: string | RawColumn, options?: DecodeOptions): Decoded {
  const syntax = findSyntax(syntaxName);
  if (syntax === undefined) throw new Error(`There is no syntax ${syntaxName}.`);
  const names = syntax.reading === 'bits' ? bitNames : syntax.family === 'enum' ? caseNames : {};
  const gaps = new Uint8Array(1);
  const tally = { unnamed: 0 };
  const column = typeof raw === 'string' ? rawOf(raw) : raw;
  const values = createDecoder(syntax, names, options).decode(column, gaps, tally);
  const value = values && valueAt({ ...values, field: 'field', gaps } as Column, 0);
  return { kind: values?.kind, value, gap: gaps[0]!, unnamed: tally.unnamed };
}
