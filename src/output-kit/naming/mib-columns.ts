import type {
  Column,
  CounterColumn,
  ListColumn,
  MibColumn,
  NumberColumn,
  TextColumn,
} from '../../model/batch.ts';
import { gapCode } from '../../model/gap.ts';
import type { FamilyKind, FamilyTable, NamedColumn } from './family-table.ts';
import { dateNumbers, stateNumbers } from './text-numbers.ts';

/**
 * A column under its name in the MIB, with the values that the device sent, as Prometheus' snmp_exporter shows them. A text is a label of
 * a series of its own, whose value is 1.
 */
export function nameMibColumn(
  column: Column,
  mib: MibColumn,
  families: FamilyTable,
  generation: number,
): NamedColumn {
  const { about, metric } = column;
  const familyOf = (kind: FamilyKind) => families.getMibFamily(mib.name, kind, about, generation);
  switch (column.kind) {
    case 'list': {
      const family = familyOf('stateset');
      return { column: withNamedOnly(column, family.codes), family };
    }
    case 'text': {
      const isNamed = about?.names !== undefined;
      if (mib.stateAs === 'set') return { column, family: familyOf('stateset') };
      if (mib.stateAs === 'label') return { column, family: familyOf('info') };
      if (!isNamed && about?.isTime !== true) {
        return { column: mib.isMac ? asPhysAddresses(column) : column, family: familyOf('text') };
      }
      const family = familyOf('gauge');
      return { column: isNamed ? stateNumbers(column, family.codes) : dateNumbers(column), family };
    }
    default:
      return { column: asSent(column, mib), family: familyOf(metric === 'counter' ? 'counter' : 'gauge') };
  }
}

/** Undoes the scale of the definition. TruthValue has 1 for true and 2 for false. */
function asSent(
  column: Exclude<Column, TextColumn | { readonly kind: 'list' }>,
  { times, over }: MibColumn,
): NumberColumn | CounterColumn {
  if (column.kind === 'boolean') return numbersOf(column, column.values, (value) => 2 - value);
  if (times === 1 && over === 1) return column;
  const values = column.kind === 'number' ? column.values : doublesOf(column.words);
  return numbersOf(column, values, (value) => (value * over) / times);
}

function numbersOf(
  { metric, field, gaps }: Column,
  values: Float64Array | Uint8Array,
  change: (value: number) => number,
): NumberColumn {
  return {
    kind: 'number',
    field,
    ...(metric === undefined ? {} : { metric }),
    values: Float64Array.from(values, change),
    gaps,
  };
}

/** Bits without a name are left out. */
function withNamedOnly(column: ListColumn, codes: ReadonlyMap<string, number>): ListColumn {
  if (codes.size === 0) return column;
  return { ...column, values: column.values.map((list) => list?.filter((name) => codes.has(name))) };
}

/** Also where the device sent none. */
function asPhysAddresses(column: TextColumn): TextColumn {
  const values = column.values.map((text, row) =>
    text === undefined && column.gaps?.[row] !== emptyGap ? undefined : physAddress(text ?? ''),
  );
  return { ...column, values, gaps: column.gaps?.map((gap) => (gap === emptyGap ? 0 : gap)) };
}

const emptyGap = gapCode('empty');

/** An address as snmp_exporter writes it: in capitals, and at least six octets. Longer ones stay whole. */
export function physAddress(text: string): string {
  const octets = text === '' ? [] : text.toUpperCase().split(':');
  while (octets.length < 6) octets.push('00');
  return octets.join(':');
}

/** 64-bit counters, rounded beyond 2^53. */
export function doublesOf(words: Uint32Array): Float64Array {
  return Float64Array.from(
    { length: words.length / 2 },
    (_, row) => words[2 * row + 1]! * 2 ** 32 + words[2 * row]!,
  );
}
