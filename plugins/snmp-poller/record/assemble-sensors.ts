import { type SensorClassName, sensorLimits } from '../../../src/definitions/index.ts';
import { type Column, gapCode, type Rows } from '../../../src/index.ts';
import { holdsValue, type PollColumns } from '../../../src/snmp/index.ts';
import type { ColumnSource, SensorSection, SensorStatePlan } from '../plan/poll-plan.ts';
import { gapsByStatus } from '../status-gaps.ts';
import type { AssembledRecord, FinishedPoll } from './assembled-record.ts';
import type { GapTally } from './read-columns.ts';
import type { Label } from './read-texts.ts';
import { scaleRows } from './scale-rows.ts';
import type { SensorMemory, SensorRecord, SensorRows } from './sensor-memory.ts';
import { SensorWords, stateNames } from './sensor-states.ts';
import { NumberSlab, type ReadTools, type SourceReader } from './source-reader.ts';
import { type ColumnTexts, fillTemplate, readColumn } from './template-texts.ts';

const noWriter = gapCode('noSuchInstance');
const decodeGap = gapCode('decode');
const emptyAbout = {};

/** Makes the batch of the record `sensor` from the values of a poll. One instance serves all devices. */
export class SensorAssembler {
  readonly #reader: SourceReader;
  readonly #gapOf = gapsByStatus();
  readonly #words = new WeakMap<SensorStatePlan, SensorWords>();
  /** The rows that were made last for the sensors of a plan. Devices that are alike have equal ones. */
  readonly #latest = new WeakMap<readonly SensorSection[], Rows>();

  constructor(reader: SourceReader) {
    this.#reader = reader;
  }

  /** Undefined while the names and classes are not known. Adds values to `counts[0]` and gaps at their codes. */
  *assemble(
    memory: SensorMemory,
    poll: FinishedPoll,
    counts: GapTally,
  ): Generator<void, AssembledRecord | undefined> {
    if (poll.readsForeign || (memory.record === undefined && !memory.needsTexts))
      yield* this.#refresh(memory, poll);
    const { record } = memory;
    if (record === undefined || record.rows.count === 0) return undefined;
    return yield* this.read(record, poll.columns, counts);
  }

  /** The columns of known rows. */
  *read(
    { rows, parts, limits, hasValues, hasStates }: SensorRecord,
    poll: PollColumns,
    counts: GapTally,
  ): Generator<void, AssembledRecord> {
    const columns: Column[] = [];
    if (hasValues) columns.push(yield* this.#readValues(parts, rows.count, poll, counts));
    if (hasStates) columns.push(...(yield* this.#readStates(parts, rows.count, poll, counts)));
    return { record: 'sensor', rows, columns: [...columns, ...limits] };
  }

  *#readValues(
    parts: readonly SensorRows[],
    count: number,
    poll: PollColumns,
    counts: GapTally,
  ): Generator<void, Column> {
    const all = new Float64Array(count);
    const gaps = new Uint8Array(count);
    let missing = 0;
    let start = 0;
    for (const { section, positions, classes, count: own } of parts) {
      yield;
      const read = section.value && this.#readNumbers(section.value, section.instances.length, poll);
      for (let row = 0; row < own; row++) {
        const position = positions === undefined ? row : positions[row]!;
        const isState = typeof classes !== 'string' && classes[row] === 'state';
        const gap = read === undefined || isState ? noWriter : read.gaps[position]!;
        if (gap === 0) {
          all[start + row] = read!.values[position]!;
          continue;
        }
        gaps[start + row] = gap;
        missing++;
        if (read !== undefined && !isState) counts[gap]!++;
      }
      start += own;
    }
    counts[0]! += count - missing;
    return {
      field: 'sensor.value',
      metric: 'gauge',
      about: emptyAbout,
      kind: 'number',
      values: all,
      gaps: missing === 0 ? undefined : gaps,
    };
  }

  *#readStates(
    parts: readonly SensorRows[],
    count: number,
    poll: PollColumns,
    counts: GapTally,
  ): Generator<void, Column[]> {
    const states = new Array<string | undefined>(count).fill(undefined);
    const statuses = new Array<string | undefined>(count).fill(undefined);
    const gaps = new Uint8Array(count);
    let missing = 0;
    let start = 0;
    for (const { section, positions, count: own } of parts) {
      yield;
      const { state } = section;
      const words = state && this.#wordsOf(state);
      for (let row = 0; row < own; row++) {
        const at = start + row;
        if (words === undefined) {
          gaps[at] = noWriter;
          missing++;
          continue;
        }
        const slot = state!.source.firstSlot + (positions === undefined ? row : positions[row]!);
        const status = poll.status[slot]!;
        if (holdsValue(status)) {
          const word = words.at(slot, poll);
          states[at] = word.state;
          statuses[at] = word.status;
          counts[0]!++;
        } else {
          gaps[at] = this.#gapOf[status]!;
          counts[gaps[at]]!++;
          missing++;
        }
      }
      start += own;
    }
    const found = missing === 0 ? undefined : gaps;
    return [
      { field: 'sensor.state', about: aboutState, kind: 'text', values: states, gaps: found },
      { field: 'sensor.status', about: emptyAbout, kind: 'text', values: statuses, gaps: found },
    ];
  }

  #wordsOf(state: SensorStatePlan): SensorWords {
    const words = this.#words.get(state) ?? new SensorWords(state);
    this.#words.set(state, words);
    return words;
  }

  /** The numbers of a source, whatever its type. */
  #readNumbers(
    source: ColumnSource,
    count: number,
    poll: PollColumns,
  ): { readonly values: Float64Array; readonly gaps: Uint8Array } {
    const gaps = new Uint8Array(count);
    const tools: ReadTools = { slab: new NumberSlab(count), names: { unnamed: 0 } };
    const read =
      this.#reader.readComplete(source, poll, count, tools.slab) ??
      this.#reader.read(source, poll, gaps, tools, undefined);
    const values = numbersOf(read, count);
    if (values === undefined) return { values: new Float64Array(count), gaps: gaps.fill(decodeGap) };
    if (source.rowScale !== undefined) scaleRows(source, source.rowScale, poll, values, gaps);
    return { values, gaps };
  }

  /** Reads names, classes and limits, which are asked only until they are known. */
  *#refresh(memory: SensorMemory, { columns: poll, names }: FinishedPoll): Generator<void, void> {
    const now: ColumnTexts = new Map();
    const tools = { slab: new NumberSlab(0), names };
    const reading = { poll, reader: this.#reader, tools, before: memory.texts, now };
    const parts: SensorRows[] = [];
    const labels = new LabelLists();
    for (const section of memory.sections) {
      const { instances, ids, name, location, part, direction } = section;
      const { positions, classes, count } = yield* findRows(section, reading);
      if (count === 0) continue;
      const pick = (list: Label) =>
        positions === undefined ? list : Array.from(positions, (position) => list[position]);
      const own = pick(ids) as readonly string[];
      const texts = yield* fillTemplate(name, instances.length, reading);
      labels.add('sensor.id', own, count);
      labels.add('sensor.name', pick(texts.map((text, row) => text ?? ids[row])), count);
      const kinds = typeof classes === 'string' ? new Array<SensorClassName>(count).fill(classes) : classes;
      labels.add('sensor.class', kinds, count);
      labels.add('sensor.unit', kinds.map(section.unitOf), count);
      labels.add('sensor.part', part, count);
      labels.add('sensor.direction', direction, count);
      const places = location && (yield* fillTemplate(location, instances.length, reading));
      labels.add('sensor.location', places && pick(places), count);
      parts.push({ section, positions, count, classes });
      yield;
    }
    memory.texts = now;
    const rows = this.#share(memory.sections, labels.finish());
    memory.record = {
      rows: memory.record !== undefined && hasSameRows(memory.record.rows, rows) ? memory.record.rows : rows,
      parts,
      limits: this.#readLimits(parts, rows.count, poll),
      hasValues: parts.some(({ section }) => section.value !== undefined),
      hasStates: parts.some(({ section }) => section.state !== undefined),
    };
  }

  /** Equal devices have one list of each label. */
  #share(sections: readonly SensorSection[], rows: Rows): Rows {
    const shared = this.#latest.get(sections);
    if (shared !== undefined && hasSameRows(shared, rows)) return shared;
    this.#latest.set(sections, rows);
    return rows;
  }

  #readLimits(parts: readonly SensorRows[], count: number, poll: PollColumns): Column[] {
    return Object.entries(sensorLimits).flatMap(([name, field]): Column[] => {
      const values = new Float64Array(count);
      const gaps = new Uint8Array(count).fill(noWriter);
      let isAny = false;
      let start = 0;
      for (const { section, positions, count: own } of parts) {
        const limit = section.limits.find(([each]) => each === name)?.[1];
        const read =
          limit === undefined || typeof limit === 'number'
            ? undefined
            : this.#readNumbers(limit, section.instances.length, poll);
        for (let row = 0; row < own && limit !== undefined; row++) {
          const position = positions === undefined ? row : positions[row]!;
          gaps[start + row] = read === undefined ? 0 : read.gaps[position]!;
          if (gaps[start + row] !== 0) continue;
          values[start + row] = typeof limit === 'number' ? limit : read!.values[position]!;
          isAny = true;
        }
        start += own;
      }
      return isAny ? [{ field, metric: 'gauge', about: emptyAbout, kind: 'number', values, gaps }] : [];
    });
  }
}

const aboutState = { names: stateNames };

type Reading = Parameters<typeof fillTemplate>[2];

/** The rows of a section: all, or those whose class is known. */
function* findRows(
  { class: kind, instances }: SensorSection,
  reading: Reading,
): Generator<void, Pick<SensorRows, 'positions' | 'classes' | 'count'>> {
  const count = instances.length;
  if (typeof kind === 'string') return { positions: undefined, classes: kind, count };
  const words = yield* readColumn(kind.source, count, reading);
  const positions: number[] = [];
  const classes: SensorClassName[] = [];
  for (let row = 0; row < count; row++) {
    const word = words[row]?.trim();
    const found = word === undefined ? undefined : kind.find(word);
    if (found === undefined) continue;
    positions.push(row);
    classes.push(found);
  }
  return { positions: Int32Array.from(positions), classes, count: positions.length };
}

function numbersOf(read: ReturnType<SourceReader['read']>, count: number): Float64Array | undefined {
  if (read?.kind === 'number') return read.values;
  if (read?.kind !== 'counter') return undefined;
  const values = new Float64Array(count);
  for (let row = 0; row < count; row++)
    values[row] = read.words[2 * row + 1]! * 2 ** 32 + read.words[2 * row]!;
  return values;
}

/** Labels of all sections, one list each. A label that no section has is left out. */
class LabelLists {
  readonly #lists = new Map<string, (string | undefined)[]>();
  #rows = 0;
  #ids: string[] = [];

  add(label: string, values: string | Label | undefined, count: number): void {
    if (label === 'sensor.id') {
      this.#rows = this.#ids.length;
      for (const id of values as readonly string[]) this.#ids.push(id);
    }
    if (values === undefined) return;
    const list = this.#lists.get(label) ?? [];
    this.#lists.set(label, list);
    while (list.length < this.#rows) list.push(undefined);
    for (let row = 0; row < count; row++) list.push(typeof values === 'string' ? values : values[row]);
  }

  finish(): Rows {
    const count = this.#ids.length;
    for (const list of this.#lists.values()) while (list.length < count) list.push(undefined);
    const labels = Object.fromEntries(this.#lists);
    return { count, keys: this.#ids, labels: count === 0 ? labels : { ...labels, 'sensor.id': this.#ids } };
  }
}

function hasSameRows(one: Rows, other: Rows): boolean {
  if (one.count !== other.count) return false;
  const labels = Object.entries(other.labels);
  return (
    Object.keys(one.labels).length === labels.length &&
    labels.every(([label, list]) => {
      const known = one.labels[label];
      return known !== undefined && list.every((value, row) => value === known[row]);
    })
  );
}
