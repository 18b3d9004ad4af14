import type { Batch, Column, ColumnFacts, Rows } from '../batch.ts';
import { columnKinds, factCounts, formVersion, metrics, olderVersions } from './batch-codes.ts';
import { BatchFault, batchLimits } from './batch-fault.ts';
import { ByteWriter } from './byte-writer.ts';
import { factsText } from './facts-text.ts';
import { NumberForm } from './number-values.ts';
import { writeIntegers } from './packed-integers.ts';
import { packSection, writeSection } from './section-form.ts';
import { type Texts, writeTexts } from './text-form.ts';

/** A section and the object that it was made from. The same object gives the same bytes. */
interface KeptSection<Source> {
  readonly source: Source;
  readonly packed: Buffer;
}

/**
 * Writes batches in their binary form: docs/batch-format.md. Use one encoder for many batches: rows, schemas and texts are
 * compressed once as long as they are the same objects, and a batch that is encoded twice in a row is written once.
 */
export class BatchEncoder {
  readonly #out = new ByteWriter(65_536);
  readonly #section = new ByteWriter();
  readonly #numbers = new NumberForm();
  readonly #rows = new WeakMap<Rows, Buffer>();
  readonly #texts = new WeakMap<Texts, KeptSection<readonly Texts[]>>();
  readonly #schemas = new Map<string, KeptSection<readonly ColumnHead[]>>();
  readonly #facts = new WeakMap<ColumnFacts, string | undefined>();
  #bytesAsWords = new Uint32Array(0);
  /** The batch that `#out` holds. */
  #written: Batch | undefined;

  /**
   * The batch's bytes. They are valid until the next call: copy them to keep them. Throws a BatchFault for a batch beyond the
   * limits; the encoder can be used after that.
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
    const heads = columns.map((column) => this.#headOf(column));
    const version = versionFor(batch, heads);
    out.byte(version);
    this.#writeHead(batch, version);
    writeSection(out, this.#packSchema(batch.record, heads, version));
    writeSection(out, this.#packRows(rows));
    writeSection(out, this.#packTexts(columns, rows.count));
    for (const column of columns) this.#writeColumn(column, rows.count);
    this.#written = batch;
    return out.view();
  }

  #writeHead(batch: Batch, version: number): void {
    const { device, tags, record, plan, generation, sequence, slotMs, timeMs } = batch;
    writeTexts(this.#out, [device.name, device.ip, record, plan, ...Object.entries(tags).flat()]);
    const { startedMs = 0, intervalMs = 0, shard = -1, epoch = 0, kind, trapId } = batch;
    const facts = [
      device.port,
      generation,
      sequence,
      slotMs,
      timeMs,
      startedMs,
      intervalMs,
      shard + 1,
      epoch,
      kind === 'event' ? 1 : 0,
    ];
    this.#numbers.write(this.#out, Float64Array.from(facts.slice(0, factCounts[version])));
    if (version === formVersion) writeTexts(this.#out, [trapId]);
  }

  #headOf({ kind, field, metric, unit, about }: Column): ColumnHead {
    if (about !== undefined && !this.#facts.has(about)) this.#facts.set(about, factsText(about));
    return { kind, field, metric, unit, facts: about && this.#facts.get(about) };
  }

  #packSchema(record: string, columns: readonly ColumnHead[], version: number): Buffer {
    const key = `${version} ${record}`;
    const kept = this.#schemas.get(key);
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
    if (version >= olderVersions.withFacts) {
      writeTexts(
        section,
        columns.map(({ facts }) => facts),
      );
    }
    const packed = packSection(section.view());
    if (this.#schemas.size >= maxSchemas) this.#schemas.clear();
    this.#schemas.set(key, { source: columns, packed });
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

  /** Writes 0 without bytes, or 1 and the bytes as integers. */
  #writeBytes(bytes: Uint8Array | undefined, count: number): void {
    this.#out.byte(bytes === undefined ? 0 : 1);
    if (bytes === undefined) return;
    if (this.#bytesAsWords.length < 2 * count) this.#bytesAsWords = new Uint32Array(4 * count);
    const words = this.#bytesAsWords.subarray(0, 2 * count);
    for (let row = 0; row < count; row++) words[2 * row] = bytes[row] ?? 0;
    writeIntegers(this.#out, words);
  }
}

/** More records than a collector has. Limits the memory when a source invents new records without end. */
const maxSchemas = 10_000;
const nothing = packSection(Buffer.alloc(0));

/** What the schema says about a column. */
interface ColumnHead {
  readonly kind: Column['kind'];
  readonly field: string;
  readonly metric: Column['metric'] | undefined;
  readonly unit: string | undefined;
  /** As `factsText` writes them. */
  readonly facts: string | undefined;
}

function versionFor(
  { startedMs, intervalMs, epoch, kind, trapId }: Batch,
  heads: readonly ColumnHead[],
): number {
  if (kind !== undefined || trapId !== undefined) return formVersion;
  if (epoch !== undefined) return olderVersions.withOwner;
  if (intervalMs !== undefined || heads.some(({ facts }) => facts !== undefined))
    return olderVersions.withFacts;
  return startedMs === undefined ? olderVersions.plain : olderVersions.withStart;
}

function isSameSchema(kept: readonly ColumnHead[], columns: readonly ColumnHead[]): boolean {
  if (kept.length !== columns.length) return false;
  for (let i = 0; i < kept.length; i++) {
    const a = kept[i]!;
    const b = columns[i]!;
    if (a.field !== b.field || a.kind !== b.kind || a.metric !== b.metric || a.unit !== b.unit) return false;
    if (a.facts !== b.facts) return false;
  }
  return true;
}

/** A column that is shorter than its batch has no values after its end. Values after the last row of the batch are not written. */
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
