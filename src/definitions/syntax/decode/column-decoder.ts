import type {
  BooleanColumn,
  CounterColumn,
  ListColumn,
  NumberColumn,
  TextColumn,
} from '../../../model/batch.ts';
import type { Oid } from '../../../model/oid.ts';
import { builtInNames, type NameTable } from '../built-in-names.ts';
import type { Scale, Syntax, SyntaxKind } from '../syntax.ts';
import type { ColumnMemory } from './column-memory.ts';
import { decodeBooleans, decodeLists, decodeTexts, type NameTally } from './column-values.ts';
import { scaleDatesInText } from './date-in-text.ts';
import { type DecodeOptions, scaleFor, unitFor } from './decode-options.ts';
import { fillNumbers, scaleColumn, scaleCounters, scaleFloats } from './number-column.ts';
import { unwrapOpaque } from './opaque-numbers.ts';
import { octetsAt, type RawColumn, rawTag } from './raw-column.ts';
import { readNumber } from './raw-number.ts';
import {
  scaleFahrenheit,
  scaleMilliwatts,
  scaleNumbersAfterColon,
  scaleNumbersInText,
  scalePercentsInText,
} from './spelled-numbers.ts';

/** The values of a column, without its field. */
export type ColumnValues =
  | Pick<NumberColumn, 'kind' | 'values'>
  | Pick<CounterColumn, 'kind' | 'words'>
  | Pick<BooleanColumn, 'kind' | 'values'>
  | Pick<TextColumn, 'kind' | 'values'>
  | Pick<ListColumn, 'kind' | 'values'>;

/** The names that enum files have for a column. */
export interface ColumnNames {
  /** The integer or bitmap enum of the attribute's own column. */
  readonly column?: NameTable | undefined;
  readonly oids?: ReadonlyMap<Oid, string> | undefined;
}

/** Makes values of a column as it came from the wire. */
export interface ColumnDecoder {
  /** What `decode` returns; an `opaque` column that holds anything but numbers is text. */
  readonly kind: SyntaxKind;
  readonly unit: string | undefined;
  /** The names of its numbers or bits. Undefined for a syntax without names. */
  readonly names: NameTable | undefined;
  /**
   * Decodes every row whose entry in `gaps` is 0. A row that does not decode gets the gap `decode`. `tally` counts values
   * without a name in their enum. With a `memory`, texts and lists are decoded and counted only when their octets change.
   * Undefined for syntaxes that emit nothing.
   */
  decode(
    raw: RawColumn,
    gaps: Uint8Array,
    tally?: NameTally,
    memory?: ColumnMemory,
  ): ColumnValues | undefined;
}

/** Created once per column, used at every poll. */
export function createDecoder(
  syntax: Syntax,
  names: ColumnNames,
  options: DecodeOptions = {},
): ColumnDecoder {
  const scale = scaleFor(syntax, options);
  const integers =
    syntax.names === undefined || syntax.names === 'oidEnum' ? undefined : namesFor(syntax, names);
  return { kind: syntax.kind, unit: unitFor(syntax, options), names: integers, decode };

  function decode(
    wrapped: RawColumn,
    gaps: Uint8Array,
    tally?: NameTally,
    memory?: ColumnMemory,
  ): ColumnValues | undefined {
    const raw = unwrapOpaque(wrapped);
    switch (syntax.reading) {
      case 'none':
        return undefined;
      case 'counter': {
        const words = new Uint32Array(2 * raw.count);
        scaleCounters(raw, scale.times, words, gaps);
        return { kind: 'counter', words };
      }
      case 'number':
      case 'float':
        return numbers(raw, gaps, syntax.reading === 'float' ? scaleFloats : scaleColumn);
      case 'unsigned':
        return numbers(raw, gaps, scaleUnsigned);
      case 'fahrenheit':
        return numbers(raw, gaps, scaleFahrenheit);
      case 'numberInText':
        return numbers(raw, gaps, scaleNumbersInText);
      case 'numberAfterColon':
        return numbers(raw, gaps, scaleNumbersAfterColon);
      case 'percentInText':
        return numbers(raw, gaps, scalePercentsInText);
      case 'milliwatts':
        return numbers(raw, gaps, scaleMilliwatts);
      case 'epochInText':
        return numbers(raw, gaps, scaleDatesInText);
      case 'opaque':
        return holdsNumbers(raw, gaps)
          ? numbers(raw, gaps, scaleFloats)
          : { kind: 'text', values: decodeTexts(raw, gaps, 'octets', {}, tally, memory) };
      case 'addressNumber':
        return numbers(withAddressWords(raw), gaps, scaleColumn);
      case 'truth':
        return { kind: 'boolean', values: decodeBooleans(raw, gaps) };
      case 'bits':
        return { kind: 'list', values: decodeLists(raw, gaps, integers, tally, memory) };
      default:
        return {
          kind: 'text',
          values: decodeTexts(raw, gaps, syntax.reading, { integers, oids: names.oids }, tally, memory),
        };
    }
  }

  function numbers(raw: RawColumn, gaps: Uint8Array, fill: typeof scaleColumn): ColumnValues {
    const values = new Float64Array(raw.count);
    fill(raw, scale, values, gaps);
    return { kind: 'number', values };
  }
}

function namesFor({ names }: Syntax, { column }: ColumnNames): NameTable | undefined {
  const isBuiltIn = names !== undefined && names in builtInNames;
  return column ?? (isBuiltIn ? builtInNames[names as keyof typeof builtInNames] : undefined);
}

function holdsNumbers(raw: RawColumn, gaps: Uint8Array): boolean {
  const probe = gaps.slice();
  scaleFloats(raw, { times: 1, over: 1 }, new Float64Array(raw.count), probe);
  return probe.every((gap, row) => gap === gaps[row]);
}

/** A negative number is one above 2^31 that its agent sends in a signed type. */
function scaleUnsigned(raw: RawColumn, scale: Scale, out: Float64Array, gaps: Uint8Array): void {
  fillNumbers(raw, scale, readUnsigned, out, gaps);
}

function readUnsigned(raw: RawColumn, row: number): number {
  const value = readNumber(raw, row);
  return value < 0 ? value + 2 ** 32 : value;
}

/** Addresses given as octets become numbers. */
function withAddressWords(raw: RawColumn): RawColumn {
  const words = raw.words.slice();
  const tags = raw.tags.slice();
  for (let row = 0; row < raw.count; row++) {
    const octets = octetsAt(raw, row);
    if (octets?.length !== 4) continue;
    words[2 * row] = octets.reduce((address, octet) => address * 256 + octet, 0);
    tags[row] = rawTag.uInteger32;
  }
  return { ...raw, words, tags };
}
