import type { Column } from '../../../../src/index.ts';
import { quotedText } from './line-text.ts';

export interface FieldForm {
  readonly counters: 'integer' | 'unsigned' | 'float';
  /** Whether line ends in texts stand for themselves. */
  readonly rawLineEnds: boolean;
}

/** The value at `row` as line protocol writes it; undefined for what that cannot: gaps, not-a-number, the infinities. */
export function fieldText(column: Column, row: number, form: FieldForm): string | undefined {
  if (column.gaps !== undefined && column.gaps[row] !== 0) return undefined;
  switch (column.kind) {
    case 'number': {
      const value = column.values[row]!;
      return Number.isFinite(value) ? `${value}` : undefined;
    }
    case 'counter':
      return counterText(column.words[2 * row]!, column.words[2 * row + 1]!, form.counters);
    case 'boolean':
      return column.values[row] === 1 ? 'true' : 'false';
    case 'text': {
      const text = column.values[row];
      return text === undefined ? undefined : quotedText(text, form.rawLineEnds);
    }
    default: {
      const names = column.values[row];
      return names === undefined ? undefined : quotedText(names.join(','), form.rawLineEnds);
    }
  }
}

/** Signed integers have 63 bits for a counter: beyond them it counts from zero again, as if it had wrapped. */
function counterText(low: number, high: number, form: FieldForm['counters']): string {
  if (form === 'float') return `${high * 0x1_0000_0000 + low}`;
  const top = form === 'integer' ? high & 0x7fffffff : high;
  const digits =
    top < 0x200000 ? `${top * 0x1_0000_0000 + low}` : ((BigInt(top) << 32n) | BigInt(low)).toString();
  return form === 'integer' ? `${digits}i` : `${digits}u`;
}
