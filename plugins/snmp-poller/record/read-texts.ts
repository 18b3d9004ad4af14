import { type Column, valueAt } from '../../../src/index.ts';
import { holdsValue, type PollColumns } from '../../../src/snmp/index.ts';
import { type ColumnSource, slotOf } from '../plan/poll-plan.ts';
import { ofOtherSource, type ReadTools, type SourceReader } from './source-reader.ts';

/** A text for each row. */
export type Label = readonly (string | undefined)[];

/** Rows that are handled in one step, between other work. */
const rowsPerStep = 5_000;

/** The texts of some sources. A text whose request was not answered keeps its value of `before`. */
export function* readTexts(
  sources: readonly ColumnSource[],
  count: number,
  before: Label | undefined,
  poll: PollColumns,
  reader: SourceReader,
  tools: ReadTools,
): Generator<void, Label> {
  const labels = new Array<string | undefined>(count).fill(undefined);
  for (const source of sources) {
    const gaps = new Uint8Array(count);
    const values = reader.read(source, poll, gaps, tools, undefined);
    if (values === undefined) continue;
    const column = { ...values, field: '', gaps } as Column;
    for (let row = 0; row < count; row++) {
      if (row % rowsPerStep === rowsPerStep - 1) yield;
      if (gaps[row] === ofOtherSource) continue;
      const value = valueAt(column, row);
      if (value !== undefined) labels[row] = typeof value === 'object' ? value.join(',') : String(value);
      else if (!isAnswered(poll.status[slotOf(source, row)]!)) labels[row] = before?.[row];
    }
  }
  return labels;
}

/** Whether the agent answered with a value or an exception. */
function isAnswered(status: number): boolean {
  return holdsValue(status) || (status >= 0x80 && status <= 0x82);
}
