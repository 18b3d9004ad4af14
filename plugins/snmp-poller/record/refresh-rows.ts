import { type Column, type Rows, valueAt } from '../../../src/index.ts';
import { holdsValue, type PollColumns } from '../../../src/snmp/index.ts';
import { type LabelPlan, type RecordPlan, slotOf } from '../plan/poll-plan.ts';
import type { RecordMemory } from './record-memory.ts';
import { ofOtherSource, type ReadTools, type SourceReader } from './source-reader.ts';

type Label = readonly (string | undefined)[];

/**
 * Returns the rows of a record after a poll: the same object as before while no label has changed. A label whose request was not
 * answered keeps its value.
 */
export function* refreshRows(
  memory: RecordMemory,
  poll: PollColumns,
  readsForeign: boolean,
  reader: SourceReader,
  tools: ReadTools,
): Generator<void, Rows> {
  const { plan } = memory;
  let isChanged = memory.rows === undefined;
  for (const [position, label] of plan.labels.entries()) {
    if (label.isForeign && !readsForeign) continue;
    yield;
    const before = memory.labels[position];
    const now = readLabel(label, position, memory, poll, reader, tools);
    if (before !== undefined && isSame(before, now)) continue;
    memory.labels[position] = now;
    isChanged = true;
  }
  if (isChanged) memory.rows = buildRows(plan, memory.labels);
  return memory.rows!;
}

function readLabel(
  label: LabelPlan,
  position: number,
  memory: RecordMemory,
  poll: PollColumns,
  reader: SourceReader,
  tools: ReadTools,
): Label {
  const count = memory.plan.instances.length;
  const before = memory.labels[position];
  const labels = new Array<string | undefined>(count).fill(undefined);
  for (const source of label.sources) {
    const gaps = new Uint8Array(count);
    const isText = label.sources.length === 1 && source.decoder.kind === 'text';
    const columns = memory.plan.columns.length;
    const kept = isText ? memory.columnMemory(columns + position) : undefined;
    const values = reader.read(source, poll, gaps, tools, kept);
    if (values === undefined) continue;
    if (isText && values.kind === 'text' && values.values.every((value) => value !== undefined)) {
      return values.values;
    }
    const column = { ...values, field: '', gaps } as Column;
    for (let row = 0; row < count; row++) {
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

function isSame(before: Label, now: Label): boolean {
  return before === now || before.every((value, row) => value === now[row]);
}

function buildRows(plan: RecordPlan, labels: readonly (Label | undefined)[]): Rows {
  const count = plan.instances.length;
  const tags = plan.labels.flatMap(({ field }, position): [string, Label][] => {
    const label = labels[position];
    return label === undefined ? [] : [[field, label]];
  });
  return {
    count,
    keys: findKeys(plan, labels),
    labels: { ...plan.indexLabels, ...Object.fromEntries(tags) },
  };
}

/**
 * A row with a unique name is identified by that name, because after a restart `Gi0/1` is still `Gi0/1`, while interface 7 may be
 * another interface. Other rows are identified by their instance.
 */
function findKeys(plan: RecordPlan, labels: readonly (Label | undefined)[]): readonly string[] {
  const names = plan.labels
    .map(({ naming, field }, position) => ({ naming, field, label: labels[position] }))
    .filter(({ naming, label }) => naming > 0 && label !== undefined)
    .sort((a, b) => b.naming - a.naming);
  const keys: (string | undefined)[] = new Array(plan.instances.length).fill(undefined);
  for (const { field, label } of names) {
    const uses = new Map<string | undefined, number>();
    for (const name of label!) uses.set(name, (uses.get(name) ?? 0) + 1);
    for (const [row, name] of label!.entries()) {
      if (name !== undefined && name !== '' && uses.get(name) === 1) keys[row] ??= `${field}=${name}`;
    }
  }
  return keys.map((key, row) => key ?? plan.instances[row]!);
}
