import type { Rows } from '../../../src/index.ts';
import type { PollColumns } from '../../../src/snmp/index.ts';
import type { LabelPlan, RecordPlan } from '../plan/poll-plan.ts';
import { type Label, readTexts } from './read-texts.ts';
import type { RecordMemory } from './record-memory.ts';
import { settleSources } from './settle-sources.ts';
import type { ReadTools, SourceReader } from './source-reader.ts';
import { type ColumnTexts, fillTemplate } from './template-texts.ts';

/** Rows that are handled in one step, between other work. */
const rowsPerStep = 5_000;

/** Keeps the labels of records current. One instance serves all devices. */
export class RowRefresher {
  readonly #reader: SourceReader;
  /** The rows that were made last for a plan. Devices that are alike have the same plan, and often the same names. */
  readonly #latest = new WeakMap<RecordPlan, Rows>();

  constructor(reader: SourceReader) {
    this.#reader = reader;
  }

  /**
   * Returns the rows of a record after a poll: the same object as before while no label has changed. A label whose request was not
   * answered keeps its value.
   */
  *refresh(
    memory: RecordMemory,
    poll: PollColumns,
    readsForeign: boolean,
    tools: ReadTools,
  ): Generator<void, Rows> {
    const { plan } = memory;
    let isChanged = memory.rows === undefined;
    for (const [position, label] of plan.labels.entries()) {
      if (label.isForeign && !readsForeign) continue;
      yield;
      const before = memory.labels[position];
      const now = yield* readLabel(label, position, memory, poll, this.#reader, tools);
      if (before === undefined || !isSame(before, now)) {
        memory.labels[position] = now;
        isChanged = true;
      }
      if (label.others === undefined) continue;
      const { sources, count } = label.others;
      const others = yield* readTexts(sources, count, memory.otherNames, poll, this.#reader, tools);
      if (memory.otherNames !== undefined && isSame(memory.otherNames, others)) continue;
      memory.otherNames = others;
      isChanged = true;
    }
    if (readsForeign || memory.templates === undefined) {
      const now = yield* this.#fillTemplates(memory, poll, tools);
      if (now !== undefined) {
        memory.templates = now;
        isChanged = true;
      }
    }
    if (isChanged) memory.rows = yield* this.#share(plan, memory);
    return memory.rows!;
  }

  /** The labels that are made of other texts; undefined while they are the same. */
  *#fillTemplates(
    memory: RecordMemory,
    poll: PollColumns,
    tools: ReadTools,
  ): Generator<void, readonly Label[] | undefined> {
    const { plan, templates } = memory;
    if (plan.templates.length === 0) return templates === undefined ? [] : undefined;
    const now: ColumnTexts = new Map();
    const reading = { poll, reader: this.#reader, tools, before: memory.texts, now };
    const filled: Label[] = [];
    for (const { plan: parts } of plan.templates) {
      filled.push(yield* fillTemplate(parts, plan.instances.length, reading));
    }
    memory.texts = now;
    return templates?.every((label, i) => isSame(label, filled[i]!)) ? undefined : filled;
  }

  /** Makes the rows, or takes those of another device when they are equal: ten thousand equal devices have one list of each label. */
  *#share(plan: RecordPlan, memory: RecordMemory): Generator<void, Rows> {
    const shared = this.#latest.get(plan);
    const rows = yield* buildRows(plan, memory, shared?.keys);
    if (shared === undefined || !isSame(rows.keys, shared.keys) || !hasSameLabels(plan, rows, shared)) {
      this.#latest.set(plan, rows);
      return rows;
    }
    for (const [position, { field }] of plan.labels.entries())
      if (memory.labels[position] !== undefined) memory.shareLabel(position, shared.labels[field]!);
    return shared;
  }
}

function hasSameLabels(plan: RecordPlan, { labels }: Rows, shared: Rows): boolean {
  return [...plan.labels, ...plan.templates].every(({ field }) => {
    const [own, other] = [labels[field], shared.labels[field]];
    return own === other || (own !== undefined && other !== undefined && isSame(own, other));
  });
}

function* readLabel(
  label: LabelPlan,
  position: number,
  memory: RecordMemory,
  poll: PollColumns,
  reader: SourceReader,
  tools: ReadTools,
): Generator<void, Label> {
  const count = memory.plan.instances.length;
  const [source] = label.sources;
  if (label.sources.length === 1 && source!.decoder.kind === 'text') {
    const gaps = new Uint8Array(count);
    const kept = memory.columnMemory(memory.plan.columns.length + position);
    const values = reader.read(source!, poll, gaps, tools, kept);
    if (values?.kind === 'text' && values.values.every((value) => value !== undefined)) return values.values;
  }
  const sources = settleSources(label, poll.status, count);
  return yield* readTexts(sources, count, memory.labels[position], poll, reader, tools);
}

function isSame(before: Label, now: Label): boolean {
  return before === now || (before.length === now.length && before.every((value, row) => value === now[row]));
}

function* buildRows(
  plan: RecordPlan,
  { labels, otherNames, templates }: Pick<RecordMemory, 'labels' | 'otherNames' | 'templates'>,
  knownKeys: readonly string[] | undefined,
): Generator<void, Rows> {
  const count = plan.instances.length;
  const tags = plan.labels.flatMap(({ field }, position): [string, Label][] => {
    const label = labels[position];
    return label === undefined ? [] : [[field, label]];
  });
  for (const [position, { field }] of plan.templates.entries()) {
    const label = templates?.[position];
    if (label !== undefined) tags.push([field, label]);
  }
  return {
    count,
    keys: plan.rowIds ?? (yield* findKeys(plan, labels, otherNames, knownKeys)),
    labels: { ...plan.indexLabels, ...Object.fromEntries(tags) },
  };
}

/**
 * An interface is identified by its ifName, because after a restart `Gi0/1` is still `Gi0/1`, while interface 7 may be another
 * interface. Interfaces that share a name, and the rows of all other tables, are identified by their instance.
 */
function* findKeys(
  plan: RecordPlan,
  labels: readonly (Label | undefined)[],
  otherNames: Label = [],
  knownKeys: readonly string[] = [],
): Generator<void, readonly string[]> {
  const position = plan.labels.findIndex(({ isName }) => isName);
  const names = labels[position];
  if (names === undefined) return plan.instances;
  const uses = new Map<string | undefined, number>();
  for (const list of [names, otherNames]) {
    for (let row = 0; row < list.length; row++) {
      if (row % rowsPerStep === rowsPerStep - 1) yield;
      uses.set(list[row], (uses.get(list[row]) ?? 0) + 1);
    }
  }
  const prefix = `${plan.labels[position]!.field}=`;
  const keys: string[] = [];
  for (const [row, instance] of plan.instances.entries()) {
    if (row % rowsPerStep === rowsPerStep - 1) yield;
    const name = names[row];
    const isUnique = name !== undefined && name !== '' && uses.get(name) === 1;
    const key = isUnique ? prefix + name : instance;
    // Where an equal text exists already, this one need not be kept.
    keys.push(key === knownKeys[row] ? knownKeys[row] : key);
  }
  return keys;
}
