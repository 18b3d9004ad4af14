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

const octets = { comma: 0x2c, begin: 0x7b, end: 0x7d, lineEnd: 0x0a };
const maxLayouts = 1000;

/**
 * Renders batches as JSON documents, one per row, directly from the columns. Keep one renderer per output: it remembers what the lines
 * of a row have in common while the rows stay the same.
 */
export class LineRenderer {
  readonly #settings: LineSettings;
  /** By the names of the fields, which are the same for all batches of a record. */
  readonly #layouts = new Map<string, readonly Member[]>();
  /** What the lines of a row have in common while the rows stay the same. */
  readonly #rowTexts = new WeakMap<Rows, readonly Uint8Array[]>();
  readonly #rows = new TextBuffer();
  /** One for all: a buffer has 260 kB, and events are batches of one row. */
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
    const { columns, rows } = batch;
    const head = Buffer.from(renderHead(batch));
    const rowTexts = this.#findRowTexts(rows);
    const members = this.#findLayout(columns.map(({ field }) => field));
    return (row, out) => {
      out.copy(head);
      out.copy(rowTexts[row]!);
      writeMembers(out, members, columns, row);
      out.octet(octets.end);
      if (this.#settings.gaps) out.write(renderGaps(columns, row));
      out.octet(octets.end);
    };
  }

  #findRowTexts(rows: Rows): readonly Uint8Array[] {
    let texts = this.#rowTexts.get(rows);
    if (texts === undefined) {
      const labels = Object.entries(rows.labels);
      const columns = labels.map(([field, values]): Column => ({ field, kind: 'text', values }));
      const members = this.#findLayout(labels.map(([field]) => field));
      const out = this.#labels;
      texts = Array.from({ length: rows.count }, (_, row) => {
        out.length = 0;
        out.write(`,"key":${JSON.stringify(rows.keys[row] ?? '')},"labels":{`);
        writeMembers(out, members, columns, row);
        out.write('},"values":{');
        return Buffer.from(out.bytes.subarray(0, out.length));
      });
      this.#rowTexts.set(rows, texts);
    }
    return texts;
  }

  #findLayout(fields: readonly string[]): readonly Member[] {
    const name = fields.join('\n');
    let members = this.#layouts.get(name);
    if (members === undefined) {
      if (this.#layouts.size >= maxLayouts) this.#layouts.clear();
      members = this.#settings.nested ? placeNested(fields) : placeFlat(fields);
      this.#layouts.set(name, members);
    }
    return members;
  }
}

function renderHead(batch: Batch): string {
  const { device, tags, record, plan, trapId, generation, sequence, slotMs, timeMs, shard, epoch } = batch;
  const { name, ip, port } = device;
  const slot = new Date(slotMs).toISOString();
  const time = new Date(timeMs).toISOString();
  const head = {
    device: { name, ip, port },
    tags,
    record,
    plan,
    trap_id: trapId,
    generation,
    sequence,
    slot,
    time,
    shard,
    epoch,
  };
  return JSON.stringify(head).slice(0, -1);
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
      out.write(column.values[row] === 1 ? 'true' : 'false');
      return true;
    default: {
      const value = column.values[row];
      if (value === undefined) return false;
      out.write(JSON.stringify(value));
      return true;
    }
  }
}
