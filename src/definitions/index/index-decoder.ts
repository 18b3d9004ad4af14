import { type Column, valueAt } from '../../model/batch.ts';
import { gapCode } from '../../model/gap.ts';
import { inetType } from '../syntax/decode/address-text.ts';
import { type ColumnNames, createDecoder } from '../syntax/decode/column-decoder.ts';
import type { NameTally } from '../syntax/decode/column-values.ts';
import type { DecodeOptions } from '../syntax/decode/decode-options.ts';
import { decodeOctets } from '../syntax/decode/octet-text.ts';
import { findSyntax } from '../syntax/syntax-table.ts';
import { splitIndex } from './index-arcs.ts';
import { rawIndexColumn } from './index-column.ts';
import type { IndexPart, IndexValue } from './index-part.ts';

const emptyGap = gapCode('empty');

/** Labels by field, one entry per instance. */
export interface IndexLabels {
  readonly labels: Readonly<Record<string, readonly (string | undefined)[]>>;
  /** Instances that could not be split, or with a part that did not decode. Their arcs are in the label `rawIndexField`. */
  readonly undecoded: number;
  /** Parts whose number has no name in its enum. */
  readonly unnamed: number;
}

/** The label that marks an instance whose index does not decode. It has all arcs of the instance. */
const rawIndexField = 'index.raw';

export type IndexDecoder = (instances: readonly (readonly number[])[]) => IndexLabels;

/** Makes the labels of instances; created once per table. Never fails: a part that does not decode has no label. */
export function createIndexDecoder(
  parts: readonly IndexPart[],
  namesOf: (part: IndexPart) => ColumnNames,
  options: DecodeOptions = {},
): IndexDecoder {
  const types = parts.map((part) => part.type);
  const addressTypeAt = parts.findIndex((part) => part.syntax === 'InetAddressType');
  const emitted = parts.flatMap((part, position) => {
    const syntax = findSyntax(part.syntax);
    if (part.field === undefined || syntax === undefined || syntax.kind === 'none') return [];
    return [
      { part, position, field: part.field, syntax, decoder: createDecoder(syntax, namesOf(part), options) },
    ];
  });

  return (instances) => {
    const split = instances.map((arcs) => splitIndex(types, arcs));
    const failed = new Set(split.flatMap((values, row) => (values === undefined ? [row] : [])));
    const tally: NameTally = { unnamed: 0 };
    const labels: Record<string, (string | undefined)[]> = {};
    for (const { part, position, field, syntax, decoder } of emitted) {
      const values = split.map((row) => row?.[position]);
      const gaps = Uint8Array.from(values, (value) => (value === undefined ? 1 : 0));
      const column = decoder.decode(rawIndexColumn(part.type, values), gaps, tally);
      labels[field] = values.map((value, row) => {
        if (value === undefined || column === undefined) return undefined;
        if (syntax.reading === 'address' && isHostName(split[row], addressTypeAt, position))
          return textOf(value);
        const label = valueAt({ ...column, field, gaps } as Column, row);
        if (label !== undefined) return String(label);
        if (gaps[row] !== emptyGap) failed.add(row);
        return undefined;
      });
    }
    if (failed.size > 0) {
      labels[rawIndexField] = instances.map((arcs, row) => (failed.has(row) ? arcs.join('.') : undefined));
    }
    return { labels, undecoded: failed.size, unnamed: tally.unnamed };
  };
}

/** An InetAddress is a host name when the InetAddressType before it says so (RFC 4001). */
function isHostName(values: readonly IndexValue[] | undefined, typeAt: number, position: number): boolean {
  return typeAt >= 0 && typeAt < position && values?.[typeAt] === inetType.dns;
}

function textOf(value: IndexValue): string {
  return typeof value === 'number' ? String(value) : decodeOctets(Uint8Array.from(value));
}
