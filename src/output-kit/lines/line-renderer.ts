import { type Batch, type Column, gapAt, type Rows } from '../../model/batch.ts';
import type { GapReason } from '../../model/gap.ts';
import { Type } from '../../typebox.ts';
import { type Member, placeFlat, placeNested } from './field-tree.ts';
import { TextBuffer } from './text-buffer.ts';

/** The options of an output that writes JSON documents: how a document looks. Pass their values to `LineRenderer`. */
export const documentOptions = {
  nested: Type.Boolean({
    default: false,
    description: 'nest objects by the dots of the field names, instead of dotted names on one level',
  }),
  gaps: Type.Boolean({ default: false, description: 'list the missing fields of a row by reason' }),
};

export interface LineSettings {
  /** Nest objects by the dots of the field names, instead of one level with dotted names. */
  readonly nested: boolean;
  /** List the missing fields of each row by reason. */
  readonly gaps: boolean;
}

const octets = { comma: 0x2c, colon: 0x3a, begin: 0x7b, end: 0x7d, lineEnd: 0x0a };
const maxLayouts = 1000;

interface Layout {
  readonly fields: readonly string[];
  readonly members: readonly Member[];
}

/**
 * Renders batches as JSON documents, one per row, directly from the columns. Keep one renderer per output: it remembers what the lines
 * of a row have in common while the rows stay the same.
 */
export class LineRenderer {
  readonly #settings: LineSettings;
  /** By the names of the fields, which are the same for all batches of a record. */
  readonly #layouts = new Map<string, Layout>();
  /** The last one of each record, for its columns and for its labels. */
  readonly #lastLayouts = { columns: new Map<string, Layout>(), labels: new Map<string, Layout>() };
  /** What the lines of a row have in common while the rows stay the same. */
  readonly #rowTexts = new WeakMap<Rows, readonly Uint8Array[]>();
  readonly #rows = new TextBuffer();
  readonly #head = new TextBuffer();
  readonly #labels = new TextBuffer();

  constructor(settings: LineSettings) {
    this.#settings = settings;
  }

  /** One line per row, in blocks. No line is split between two blocks. */
  render(batches: readonly Batch[]): Buffer[] {
    const blocks: Buffer[] = [];
    const out = new TextBuffer();
    for (const batch of batches) {
      const write = this.#rowWriter(batch);
      for (let row = 0; row < batch.rows.count; row++) {
        write(row, out);
        out.octet(octets.lineEnd);
        if (out.isFull) blocks.push(out.take());
      }
    }
    if (out.length > 0) blocks.push(out.take());
    return blocks;
  }

  /** One document per row, without a line end. */
  renderRows(batch: Batch): Buffer[] {
    const out = this.#rows;
    const write = this.#rowWriter(batch);
    return Array.from({ length: batch.rows.count }, (_, row) => {
      if (out.isFull) out.take();
      const from = out.length;
      write(row, out);
      return out.bytes.subarray(from, out.length);
    });
  }

  #rowWriter(batch: Batch): (row: number, out: TextBuffer) => void {
    const { columns } = batch;
    const head = this.#head;
    head.length = 0;
    writeHead(head, batch);
    const writeRowText = this.#rowTextWriter(batch);
    const members = this.#findLayout(
      'columns',
      batch.record,
      columns.length,
      (position) => columns[position]!.field,
    );
    return (row, out) => {
      out.append(head);
      writeRowText(row, out);
      writeMembers(out, members, columns, row);
      out.octet(octets.end);
      if (this.#settings.gaps) out.write(renderGaps(columns, row));
      out.octet(octets.end);
    };
  }

  #rowTextWriter({ kind, record, rows }: Batch): (row: number, out: TextBuffer) => void {
    // The rows of an event never come again.
    if (kind === 'event') return this.#newRowTextWriter(record, rows);
    let texts = this.#rowTexts.get(rows);
    if (texts === undefined) {
      const out = this.#labels;
      const write = this.#newRowTextWriter(record, rows);
      texts = Array.from({ length: rows.count }, (_, row) => {
        out.length = 0;
        write(row, out);
        return Buffer.from(out.bytes.subarray(0, out.length));
      });
      this.#rowTexts.set(rows, texts);
    }
    const known = texts;
    return (row, out) => out.copy(known[row]!);
  }

  #newRowTextWriter(record: string, { keys, labels }: Rows): (row: number, out: TextBuffer) => void {
    const columns: Column[] = [];
    for (const field in labels) columns.push({ field, kind: 'text', values: labels[field]! });
    const members = this.#findLayout(
      'labels',
      record,
      columns.length,
      (position) => columns[position]!.field,
    );
    return (row, out) => {
      out.copy(pieces.key);
      out.json(keys[row] ?? '');
      out.copy(pieces.labels);
      writeMembers(out, members, columns, row);
      out.copy(pieces.values);
    };
  }

  #findLayout(
    part: 'columns' | 'labels',
    record: string,
    count: number,
    fieldAt: (position: number) => string,
  ): readonly Member[] {
    const lastLayouts = this.#lastLayouts[part];
    const last = lastLayouts.get(record);
    if (last !== undefined && hasFields(last, count, fieldAt)) return last.members;
    const fields = Array.from({ length: count }, (_, position) => fieldAt(position));
    const name = fields.join('\n');
    let layout = this.#layouts.get(name);
    if (layout === undefined) {
      if (this.#layouts.size >= maxLayouts) this.#layouts.clear();
      const members = this.#settings.nested ? placeNested(fields) : placeFlat(fields);
      layout = { fields, members };
      this.#layouts.set(name, layout);
    }
    if (lastLayouts.size >= maxLayouts) lastLayouts.clear();
    lastLayouts.set(record, layout);
    return layout.members;
  }
}

function hasFields({ fields }: Layout, count: number, fieldAt: (position: number) => string): boolean {
  if (fields.length !== count) return false;
  for (let position = 0; position < count; position++)
    if (fields[position] !== fieldAt(position)) return false;
  return true;
}

const pieces = {
  name: Buffer.from('{"device":{"name":'),
  ip: Buffer.from(',"ip":'),
  port: Buffer.from(',"port":'),
  tags: Buffer.from('},"tags":{'),
  record: Buffer.from('},"record":'),
  plan: Buffer.from(',"plan":'),
  trapId: Buffer.from(',"trap_id":'),
  generation: Buffer.from(',"generation":'),
  sequence: Buffer.from(',"sequence":'),
  slot: Buffer.from(',"slot":'),
  time: Buffer.from(',"time":'),
  shard: Buffer.from(',"shard":'),
  epoch: Buffer.from(',"epoch":'),
  key: Buffer.from(',"key":'),
  labels: Buffer.from(',"labels":{'),
  values: Buffer.from('},"values":{'),
};

const booleans = { true: Buffer.from('true'), false: Buffer.from('false') };

/** What the documents of a batch have in common, piece by piece: a batch of one row is as cheap as a row of many. */
function writeHead(out: TextBuffer, batch: Batch): void {
  const { device, tags, trapId, shard, epoch } = batch;
  out.copy(pieces.name);
  out.json(device.name);
  out.copy(pieces.ip);
  out.json(device.ip);
  out.copy(pieces.port);
  out.float(device.port);
  out.copy(pieces.tags);
  let isFirst = true;
  for (const tag of Object.keys(tags)) {
    if (!isFirst) out.octet(octets.comma);
    isFirst = false;
    out.json(tag);
    out.octet(octets.colon);
    out.json(tags[tag]!);
  }
  out.copy(pieces.record);
  out.json(batch.record);
  out.copy(pieces.plan);
  out.json(batch.plan);
  if (trapId !== undefined) {
    out.copy(pieces.trapId);
    out.json(trapId);
  }
  out.copy(pieces.generation);
  out.float(batch.generation);
  out.copy(pieces.sequence);
  out.float(batch.sequence);
  out.copy(pieces.slot);
  out.time(batch.slotMs);
  out.copy(pieces.time);
  out.time(batch.timeMs);
  if (shard !== undefined) {
    out.copy(pieces.shard);
    out.float(shard);
  }
  if (epoch !== undefined) {
    out.copy(pieces.epoch);
    out.float(epoch);
  }
}

/** Writes the members that have a value, without the braces around them. Returns false when none has. */
function writeMembers(
  out: TextBuffer,
  members: readonly Member[],
  columns: readonly Column[],
  row: number,
): boolean {
  let hasWritten = false;
  for (const member of members) {
    const begin = out.length;
    if (hasWritten) out.octet(octets.comma);
    out.copy(member.key);
    const hasValue =
      'column' in member
        ? writeJsonValue(out, columns[member.column]!, row)
        : writeBranch(out, member.members, columns, row);
    if (hasValue) hasWritten = true;
    else out.length = begin;
  }
  return hasWritten;
}

function writeBranch(
  out: TextBuffer,
  members: readonly Member[],
  columns: readonly Column[],
  row: number,
): boolean {
  out.octet(octets.begin);
  const hasWritten = writeMembers(out, members, columns, row);
  out.octet(octets.end);
  return hasWritten;
}

function renderGaps(columns: readonly Column[], row: number): string {
  const gaps: Partial<Record<GapReason, string[]>> = {};
  for (const column of columns) {
    const reason = gapAt(column, row);
    if (reason === undefined) continue;
    gaps[reason] ??= [];
    gaps[reason].push(column.field);
  }
  return `,"gaps":${JSON.stringify(gaps)}`;
}

/**
 * Writes the value at `row` as JSON. Returns false and writes nothing for a gap. A counter has all its digits, also beyond 2^53. NaN and
 * the infinities, which JSON does not have, become null.
 */
function writeJsonValue(out: TextBuffer, column: Column, row: number): boolean {
  if (column.gaps !== undefined && column.gaps[row] !== 0) return false;
  switch (column.kind) {
    case 'number': {
      const value = column.values[row]!;
      if (Number.isFinite(value)) out.float(value);
      else out.write('null');
      return true;
    }
    case 'counter':
      out.counter(column.words[2 * row]!, column.words[2 * row + 1]!);
      return true;
    case 'boolean':
      out.copy(column.values[row] === 1 ? booleans.true : booleans.false);
      return true;
    case 'text': {
      const value = column.values[row];
      if (value === undefined) return false;
      out.json(value);
      return true;
    }
    case 'list': {
      const value = column.values[row];
      if (value === undefined) return false;
      out.write(JSON.stringify(value));
      return true;
    }
  }
}
