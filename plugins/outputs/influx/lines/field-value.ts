import type { Column } from '../../../../src/index.ts';
import type { TextBuffer } from '../../../../src/output-kit/index.ts';
import { quotedText } from './line-text.ts';

export interface FieldForm {
  readonly counters: 'integer' | 'unsigned' | 'float';
  /** Whether line ends in texts are written as they are. */
  readonly rawLineEnds: boolean;
}

/**
 * Writes the value at `row` in line protocol. Returns false and writes nothing for values that the format does not have: gaps, NaN and the
 * infinities.
 */
export function writeField(out: TextBuffer, column: Column, row: number, form: FieldForm): boolean {
  if (column.gaps !== undefined && column.gaps[row] !== 0) return false;
  switch (column.kind) {
    case 'number': {
      const value = column.values[row]!;
      if (!Number.isFinite(value)) return false;
      out.float(value);
      return true;
    }
    case 'counter':
      writeCounter(out, column.words[2 * row]!, column.words[2 * row + 1]!, form.counters);
      return true;
    case 'boolean':
      out.write(column.values[row] === 1 ? 'true' : 'false');
      return true;
    default: {
      const value = column.values[row];
      if (value === undefined) return false;
      out.write(quotedText(typeof value === 'string' ? value : value.join(','), form.rawLineEnds));
      return true;
    }
  }
}

const suffixes = { integer: 0x69, unsigned: 0x75 };

/** Signed integers have 63 bits for a counter. A larger counter starts from zero again, as if it had wrapped. */
function writeCounter(out: TextBuffer, low: number, high: number, form: FieldForm['counters']): void {
  if (form === 'float') return void out.float(high * 0x1_0000_0000 + low);
  out.counter(low, form === 'integer' ? high & 0x7fff_ffff : high);
  out.octet(suffixes[form]);
}
