import type { Batch, Column, Rows } from '../batch.ts';
import { columnKinds, formVersion, metrics, versionWithoutStart } from './batch-codes.ts';
import { BatchFault, batchLimits } from './batch-fault.ts';
import { ByteWriter } from './byte-writer.ts';
import { NumberForm } from './number-values.ts';
import { writeIntegers } from './packed-integers.ts';
import { packSection, writeSection } from './section-form.ts';
import { type Texts, writeTexts } from './text-form.ts';

/** A section and what it was made of: while that is the same, so are the bytes. */
interface KeptSection<Source> {
  readonly source: Source;
  readonly packed: Buffer;
}

/**
 * Writes batches in their binary form: docs/batch-format.md. To be kept: what does not change from poll to poll (rows, schema,
 * texts) is compressed once, as long as it is the very same object, and a batch that comes twice in a row is written once.
 */
export class BatchEncoder {
  readonly #out = new ByteWriter(65_536);
  readonly #section = new ByteWriter();
  readonly #numbers = new NumberForm();
  readonly #rows = new WeakMap<Rows, Buffer>();
  readonly #texts = new WeakMap<Texts, KeptSection<readonly Texts[]>>();
  readonly #schemas = new Map<string, KeptSection<readonly Column[]>>();
  #bytesAsWords = new Uint32Array(0);
  /** The batch that `#out` holds. */
  #written: Batch | undefined;

  /**
   * The batch's bytes, valid until the next call: who keeps them copies them. Throws a BatchFault for a batch beyond the limits; the
   * encoder is as good as before then.
   */
  encode(batch: Batch): Buffer {
    if (batch === this.#written) return this.#out.view();
    this.#written = undefined;
    const { rows, columns } = batch;
    if (rows.count > batchLimits.rows || rows.count * columns.length > batchLimits.cells) {
      throw new BatchFault('The batch has more rows or values than its form may hold.');
    }
    const out = this.#out;
    out.clear();
    out.byte(batch.startedMs === undefined ? versionWithoutStart : formVersion);
    this.#writeHead(batch);
    writeSection(out, this.#packSchema(batch));
    writeSection(out, this.#packRows(rows));
    writeSection(out, this.#packTexts(columns, rows.count));
    for (const column of columns) this.#writeColumn(column, rows.count);
    this.#written = batch;
    return out.view();
  }

  #writeHead({ device, tags, record, plan, generation, sequence, slotMs, timeMs, startedMs }: Batch): void {
    writeTexts(this.#out, [device.name, device.ip, record, plan, ...Object.entries(tags).flat()]);
    const facts =
      startedMs === undefined
        ? Float64Array.of(device.port, generation, sequence, slotMs, timeMs)
        : Float64Array.of(device.port, generation, sequence, slotMs, timeMs, startedMs);
    this.#numbers.write(this.#out, facts);
  }

  #packSchema({ record, columns }: Batch): Buffer {
    const kept = this.#schemas.get(record);
    if (kept !== undefined && isSameSchema(kept.source, columns)) return kept.packed;
    const section = this.#section;
    section.clear();
    section.varint(columns.length);
    for (const { kind, metric } of columns) {
      section.byte(columnKinds.indexOf(kind) + 16 * (metric === undefined ? 0 : 1 + metrics.indexOf(metric)));
    }
    writeTexts(
      section,
      columns.map(({ field }) => field),
    );
    writeTexts(
      section,
      columns.map(({ unit }) => unit),
    );
    const packed = packSection(section.view());
    if (this.#schemas.size >= maxSchemas) this.#schemas.clear();
    const heads = columns.map(({ kind, field, metric, unit }) => ({ kind, field, metric, unit }) as Column);
    this.#schemas.set(record, { source: heads, packed });
    return packed;
  }

  #packRows(rows: Rows): Buffer {
    const kept = this.#rows.get(rows);
    if (kept !== undefined) return kept;
    const section = this.#section;
    section.clear();
    const fields = Object.keys(rows.labels);
    section.varint(rows.count);
    writeTexts(section, fitTexts(rows.keys, rows.count));
    writeTexts(section, fields);
    for (const field of fields) writeTexts(section, fitTexts(rows.labels[field]!, rows.count));
    const packed = packSection(section.view());
    this.#rows.set(rows, packed);
    return packed;
  }

  #packTexts(columns: readonly Column[], rows: number): Buffer {
    const lists = columns.flatMap((column) =>
      column.kind === 'text' || column.kind === 'list' ? [column.values as Texts] : [],
    );
    const [first] = lists;
    if (first === undefined) return nothing;
    const kept = this.#texts.get(first);
    if (kept?.source.length === lists.length && lists.every((list, i) => list === kept.source[i]))
      return kept.packed;
    const section = this.#section;
    section.clear();
    for (const column of columns) {
      if (column.kind === 'text') writeTexts(section, fitTexts(column.values, rows));
      if (column.kind === 'list') this.#writeList(column.values, rows);
    }
    const packed = packSection(section.view());
    this.#texts.set(first, { source: lists, packed });
    return packed;
  }

  #writeList(values: readonly (readonly string[] | undefined)[], rows: number): void {
    this.#section.varint(rows);
    for (let row = 0; row < rows; row++) this.#section.varint((values[row]?.length ?? -1) + 1);
    writeTexts(
      this.#section,
      values.slice(0, rows).flatMap((names) => names ?? []),
    );
  }

  #writeColumn(column: Column, rows: number): void {
    this.#writeBytes(column.gaps, rows);
    if (column.kind === 'number') this.#numbers.write(this.#out, fitNumbers(column.values, rows));
    else if (column.kind === 'counter') writeIntegers(this.#out, fitWords(column.words, 2 * rows));
    else if (column.kind === 'boolean') this.#writeBytes(column.values, rows);
  }

  /** 0 for none, or 1 and the bytes as integers. */
  #writeBytes(bytes: Uint8Array | undefined, count: number): void {
    this.#out.byte(bytes === undefined ? 0 : 1);
    if (bytes === undefined) return;
    if (this.#bytesAsWords.length < 2 * count) this.#bytesAsWords = new Uint32Array(4 * count);
    const words = this.#bytesAsWords.subarray(0, 2 * count);
    for (let row = 0; row < count; row++) words[2 * row] = bytes[row] ?? 0;
    writeIntegers(this.#out, words);
  }
}

/** More records than a collector has; a source that makes up ever new ones must not fill the memory. */
const maxSchemas = 10_000;
const nothing = packSection(Buffer.alloc(0));

function isSameSchema(kept: readonly Column[], columns: readonly Column[]): boolean {
  if (kept.length !== columns.length) return false;
  for (let i = 0; i < kept.length; i++) {
    const a = kept[i]!;
    const b = columns[i]!;
    if (a.field !== b.field || a.kind !== b.kind || a.metric !== b.metric || a.unit !== b.unit) return false;
  }
  return true;
}

/** A column that is shorter than its batch reads as nothing behind its end, and what is behind the batch's rows is not kept. */
function fitTexts(texts: Texts, count: number): Texts {
  return texts.length === count ? texts : Array.from({ length: count }, (_, row) => texts[row]);
}

function fitNumbers(values: Float64Array, count: number): Float64Array {
  if (values.length >= count) return values.subarray(0, count);
  const fitted = new Float64Array(count);
  fitted.set(values);
  return fitted;
}

function fitWords(words: Uint32Array, count: number): Uint32Array {
  if (words.length >= count) return words.subarray(0, count);
  const fitted = new Uint32Array(count);
  fitted.set(words);
  return fitted;
}
