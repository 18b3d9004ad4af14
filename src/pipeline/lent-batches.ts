import { deepFreeze } from '../kernel/deep-freeze.ts';
import type { Batch, Column, ColumnFacts, Rows } from '../model/batch.ts';
import { gapReasons } from '../model/gap.ts';
import { checkShape, isPromise, ShapeFault } from './batch-shape.ts';

type Texts = readonly (string | undefined)[];

/** Text in one batch, in characters. */
const maxText = 1 << 24;
const maxColumns = 10_000;
/** Names in one value of a list. */
const maxListed = 65_536;

/**
 * What batches become between the pipeline and one plugin that is not built in, so that nothing it writes reaches another plugin. Numbers
 * are copied, because typed arrays cannot be frozen; everything else is frozen.
 */
export class LentBatches {
  readonly #batches = new WeakMap<object, Batch>();
  readonly #columns = new WeakMap<object, Column>();
  readonly #frozen = new WeakSet<object>();
  /** What rows and lists of text were copied to. Outputs keep what they made of them as long as these are the same objects. */
  readonly #rows = new WeakMap<object, Rows>();
  readonly #texts = new WeakMap<object, Texts>();
  readonly #facts = new WeakMap<object, ColumnFacts>();

  /** The batch as the plugin may have it. */
  lend(batch: Batch): Batch {
    const { device, tags, mib, rows, columns } = batch;
    if (mib !== undefined) this.#frozen.add(deepFreeze(mib));
    const lent: Batch = Object.freeze({
      ...batch,
      device: deepFreeze(device),
      tags: deepFreeze(tags),
      rows: deepFreeze(rows),
      columns: Object.freeze(columns.map((column) => this.#lendColumn(column))),
    });
    this.#batches.set(lent, batch);
    this.#frozen.add(rows);
    return lent;
  }

  /**
   * The batch that the plugin sends, checked down to each value, and copied, so that the plugin cannot change it later. What it was lent
   * is replaced by the original, whatever it wrote there. Throws when the batch is malformed.
   */
  receive(value: unknown): Batch {
    const original = this.#batches.get(value as object);
    if (original !== undefined) return original;
    const batch = checkShape(this.#read(value));
    const text = new TextCheck();
    const { device, tags, record, plan, generation, sequence, slotMs, timeMs, rows, columns } = batch;
    const { intervalMs, startedMs, shard, epoch, mib, kind, trapId } = batch;
    for (const part of [device.name, device.ip, record, plan]) text.check(part, 'a name');
    if (new Set(columns.map(({ field }) => field)).size < columns.length) {
      throw new ShapeFault('two of its columns have the same field');
    }
    return {
      device,
      tags: Object.fromEntries(Object.entries(tags).map(([key, tag]) => [key, text.check(tag, 'a tag')])),
      record,
      plan,
      generation,
      sequence,
      slotMs: Math.round(slotMs),
      timeMs: Math.round(timeMs),
      ...(intervalMs === undefined ? {} : { intervalMs }),
      ...(startedMs === undefined ? {} : { startedMs }),
      ...(kind === 'event' ? { kind } : {}),
      ...(trapId === undefined ? {} : { trapId: text.check(trapId, 'the id of a notification') }),
      ...(shard === undefined || epoch === undefined ? {} : { shard, epoch }),
      ...(mib !== undefined && this.#frozen.has(mib) ? { mib } : {}),
      rows: this.#receiveRows(rows, (value as Batch).rows, text),
      columns: columns.map((column) => this.#receiveColumn(column, rows.count, text)),
    };
  }

  /** Reads each part once, because a getter may give something else the next time. */
  #read(value: unknown): unknown {
    if (typeof value !== 'object' || value === null || isPromise(value)) return value;
    const { device, rows, columns, ...head } = value as Batch;
    if (Array.isArray(columns) && columns.length > maxColumns)
      throw new ShapeFault('it has too many columns');
    return {
      ...head,
      tags: copyMap(head.tags),
      device: device && { name: device.name, ip: device.ip, port: device.port },
      rows:
        typeof rows !== 'object' || rows === null || this.#frozen.has(rows)
          ? rows
          : { count: rows.count, keys: rows.keys, labels: copyMap(rows.labels) },
      columns: Array.isArray(columns) ? Array.from(columns, (column) => this.#readColumn(column)) : columns,
    };
  }

  #readColumn(column: Column): Column {
    return typeof column !== 'object' || column === null || this.#columns.has(column)
      ? column
      : { ...column };
  }

  #lendColumn(column: Column): Column {
    const gaps = column.gaps?.slice();
    if (column.about !== undefined) this.#frozen.add(Object.freeze(column.about));
    let lent: Column;
    switch (column.kind) {
      case 'counter':
        lent = { ...column, gaps, words: column.words.slice() };
        break;
      case 'number':
        lent = { ...column, gaps, values: column.values.slice() };
        break;
      case 'boolean':
        lent = { ...column, gaps, values: column.values.slice() };
        break;
      default:
        lent = { ...column, gaps };
        this.#frozen.add(deepFreeze(column.values));
    }
    this.#columns.set(Object.freeze(lent), column);
    return lent;
  }

  #receiveRows(rows: Rows, sent: Rows, text: TextCheck): Rows {
    if (this.#frozen.has(rows)) return rows;
    const { count, keys, labels } = rows;
    const checked = Object.entries(labels).map(
      ([field, label]) => [field, text.checkAll(label, count, 'a label')] as const,
    );
    const copy: Rows = {
      count,
      keys: Array.from({ length: count }, (_, row) => text.check(keys[row], 'the key of a row')),
      labels: Object.fromEntries(checked),
    };
    const before = this.#rows.get(sent);
    if (before !== undefined && isSameRows(before, copy)) return before;
    this.#rows.set(sent, copy);
    return copy;
  }

  #receiveTexts(sent: Texts, count: number, what: string, text: TextCheck): Texts {
    if (this.#frozen.has(sent)) return sent;
    const copy = text.checkAll(sent, count, what);
    const before = this.#texts.get(sent);
    if (before !== undefined && isSameList(before, copy)) return before;
    this.#texts.set(sent, copy);
    return copy;
  }

  /** A plugin gives the same object with every batch, so it is read once. */
  #receiveFacts(sent: ColumnFacts, text: TextCheck): ColumnFacts {
    const known = this.#frozen.has(sent) ? sent : this.#facts.get(sent);
    if (known !== undefined) return known;
    const copy = copyFacts(sent, text);
    this.#facts.set(sent, copy);
    return copy;
  }

  #receiveColumn(column: Column, count: number, text: TextCheck): Column {
    const original = this.#columns.get(column);
    if (original !== undefined) return original;
    const gaps = column.gaps === undefined ? undefined : new Uint8Array(column.gaps);
    if (gaps?.some((code) => code >= gapReasons.length)) throw new ShapeFault('it has an unknown gap code');
    const { field, metric, unit, about } = column;
    const named = {
      field,
      ...(metric === undefined ? {} : { metric }),
      ...(unit === undefined ? {} : { unit }),
      ...(about === undefined ? {} : { about: this.#receiveFacts(about, text) }),
    };
    const head = { ...named, gaps };
    switch (column.kind) {
      case 'counter':
        return { ...head, kind: 'counter', words: new Uint32Array(column.words) };
      case 'number':
        return { ...head, kind: 'number', values: new Float64Array(column.values) };
      case 'boolean':
        return { ...head, kind: 'boolean', values: new Uint8Array(column.values) };
      case 'text': {
        const what = `a value of "${field.slice(0, 60)}"`;
        return { ...head, kind: 'text', values: this.#receiveTexts(column.values, count, what, text) };
      }
      case 'list': {
        const isOurs = this.#frozen.has(column.values);
        const values = isOurs ? column.values : checkLists(column.values, count, text);
        return { ...head, kind: 'list', values };
      }
    }
  }
}

function copyFacts(sent: ColumnFacts, text: TextCheck): ColumnFacts {
  if (typeof sent !== 'object' || sent === null)
    throw new ShapeFault('what it says about a column is no object');
  const { description, names, isTime, derived, wrapsAt, marksReset } = sent;
  if (names !== undefined && (!(names instanceof Map) || names.size > maxListed))
    throw new ShapeFault('the names of the numbers of a column are no map');
  return {
    ...(description === undefined ? {} : { description: text.check(description, 'a description') }),
    ...(names === undefined
      ? {}
      : {
          names: new Map(Array.from(names, ([number, name]) => [Number(number), text.check(name, 'a name')])),
        }),
    ...(isTime === true ? { isTime } : {}),
    ...(derived === 'delta' || derived === 'rate' ? { derived } : {}),
    ...(typeof wrapsAt === 'number' ? { wrapsAt } : {}),
    ...(marksReset === true ? { marksReset } : {}),
  };
}

function isSameRows(a: Rows, b: Rows): boolean {
  const fields = Object.keys(a.labels);
  if (fields.length !== Object.keys(b.labels).length || !isSameList(a.keys, b.keys)) return false;
  return fields.every(
    (field) => b.labels[field] !== undefined && isSameList(a.labels[field]!, b.labels[field]),
  );
}

function isSameList(a: Texts, b: Texts): boolean {
  return a.length === b.length && a.every((text, row) => text === b[row]);
}

function copyMap<T>(map: T): T {
  return typeof map === 'object' && map !== null && !Array.isArray(map) ? { ...map } : map;
}

function checkLists(
  lists: readonly unknown[],
  count: number,
  text: TextCheck,
): readonly (readonly string[] | undefined)[] {
  return Array.from({ length: count }, (_, row) => {
    const list = lists[row];
    if (list === undefined) return undefined;
    if (!Array.isArray(list) || list.length > maxListed)
      throw new ShapeFault('a value of a list column is not a list');
    return Array.from(list, (name) => text.check(name, 'a name in a list'));
  });
}

/** Checks that texts are texts, and together not longer than a batch may hold. */
class TextCheck {
  #left = maxText;

  check(value: unknown, what: string): string {
    if (typeof value !== 'string') throw new ShapeFault(`${what} is not text`);
    this.#left -= value.length;
    if (this.#left < 0) throw new ShapeFault(`it has more than ${maxText} characters of text`);
    return value;
  }

  checkAll(list: readonly unknown[], count: number, what: string): readonly (string | undefined)[] {
    return Array.from({ length: count }, (_, row) =>
      list[row] === undefined ? undefined : this.check(list[row], what),
    );
  }
}
