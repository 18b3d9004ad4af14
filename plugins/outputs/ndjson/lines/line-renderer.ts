import { type Batch, type Column, type GapReason, gapAt, type Rows } from '../../../../src/index.ts';
import { TextBuffer } from '../../../../src/internal.ts';
import { type Member, placeFlat, placeNested } from './field-tree.ts';
import { writeJsonValue } from './json-value.ts';

export interface LineSettings {
  /** Objects by the dots of the field names, instead of one level with dotted names. */
  readonly nested: boolean;
  /** Whether a line lists the fields that are missing, by reason. */
  readonly gaps: boolean;
}

const octets = { comma: 0x2c, begin: 0x7b, end: 0x7d, lineEnd: 0x0a };
const maxLayouts = 1000;

/** Turns batches into lines, one JSON document a row, straight from the columns. */
export class LineRenderer {
  readonly #settings: LineSettings;
  /** By the names of the fields: batches of one record have the same ones. */
  readonly #layouts = new Map<string, readonly Member[]>();
  /** What every line of a row has in common, as long as its rows stay. */
  readonly #rowTexts = new WeakMap<Rows, readonly Uint8Array[]>();
  readonly #rows = new TextBuffer();

  constructor(settings: LineSettings) {
    this.#settings = settings;
  }

  /** The lines of all rows, in blocks that no line crosses. */
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

  /** The document of each row, without a line end. */
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
      const out = new TextBuffer();
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

function renderHead({ device, tags, record, plan, generation, sequence, slotMs, timeMs }: Batch): string {
  const { name, ip, port } = device;
  const slot = new Date(slotMs).toISOString();
  const time = new Date(timeMs).toISOString();
  const head = { device: { name, ip, port }, tags, record, plan, generation, sequence, slot, time };
  return JSON.stringify(head).slice(0, -1);
}

/** The members that have a value, without the braces around them. False when none has. */
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
