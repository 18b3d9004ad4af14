import type { Batch, Column, ColumnFacts, Metric, Rows } from '../batch.ts';
import { gapReasons } from '../gap.ts';
import { columnKinds, factCounts, formVersion, metrics, olderVersions } from './batch-codes.ts';
import { BatchFault, batchLimits } from './batch-fault.ts';
import { ByteReader } from './byte-reader.ts';
import { readFacts } from './facts-text.ts';
import { NumberForm } from './number-values.ts';
import { readIntegers } from './packed-integers.ts';
import { unpackSection } from './section-form.ts';
import { readTexts } from './text-form.ts';

/** How many bytes of sections are cached. Their decoded values take a small multiple of this in memory. */
const generationBytes = 2 << 20;

/** A cache of decoded sections, by their bytes. Sections that have not occurred for a while are dropped. */
class SectionCache<Value> {
  #young = new Map<string, Value>();
  #old: ReadonlyMap<string, Value> = new Map();
  #youngBytes = 0;

  /** The section as `read` decodes it; `context` is anything else that the result depends on. */
  get(section: Buffer, read: (section: Buffer) => Value, context = ''): Value {
    const key = context + section.toString('latin1');
    const known = this.#young.get(key);
    if (known !== undefined) return known;
    const value = this.#old.get(key) ?? read(section);
    this.#young.set(key, value);
    this.#youngBytes += section.length;
    if (this.#youngBytes > generationBytes) {
      this.#old = this.#young;
      this.#young = new Map();
      this.#youngBytes = 0;
    }
    return value;
  }
}

interface Schema {
  readonly heads: readonly ColumnHead[];
  /** `t` for each column of text and `l` for each of lists. */
  readonly textKinds: string;
}

/** What the schema says about a column, ready to be spread into it. */
interface ColumnHead {
  readonly kind: Column['kind'];
  readonly base: {
    readonly field: string;
    readonly metric?: Metric;
    readonly unit?: string;
    readonly about?: ColumnFacts;
  };
}

type TextValues = readonly (string | undefined)[] | readonly (readonly string[] | undefined)[];

/**
 * Reads the binary form of batches, in every released version: docs/batch-format.md. Use one decoder for many batches: batches
 * with the same tags, rows or texts then share these objects, as they did when they were written.
 */
export class BatchDecoder {
  readonly #numbers = new NumberForm();
  readonly #tags = new SectionCache<Batch['tags']>();
  readonly #schemas = new SectionCache<Schema>();
  readonly #rows = new SectionCache<Rows>();
  readonly #texts = new SectionCache<readonly TextValues[]>();

  /** Returns a complete batch, or throws a BatchFault for bytes of any other content. The batch does not refer to the bytes. */
  decode(bytes: Buffer): Batch {
    const from = new ByteReader(bytes);
    const version = from.byte();
    if (!(version in factCounts))
      throw new BatchFault(
        `The batch has version ${version}. This Waywiser reads versions up to ${formVersion}.`,
      );
    const [name, ip, record, plan, ...tags] = readWholeTexts(from);
    if (plan === undefined || tags.length % 2 !== 0)
      throw new BatchFault('The head of the batch is not whole.');
    const headBytes = bytes.subarray(0, bytes.length - from.remaining);
    const facts = new Float64Array(factCounts[version]!);
    this.#numbers.read(from, facts);
    const [port, generation, sequence, slotMs, timeMs, startedMs, intervalMs, shard, epoch, kindCode] =
      facts as unknown as [
        number,
        number,
        number,
        number,
        number,
        number | undefined,
        number | undefined,
        number | undefined,
        number | undefined,
        number | undefined,
      ];
    const [trapId] = version > olderVersions.withOwner ? readTextsOf(from, 1) : [];
    if (kindCode !== undefined && kindCode !== 0 && kindCode !== 1)
      throw new BatchFault('The batch is of no known kind.');
    const hasFacts = version >= olderVersions.withFacts;
    const schema = this.#schemas.get(
      readSection(from),
      (section) => readSchema(unpackSection(section), hasFacts),
      String(hasFacts),
    );
    const { heads, textKinds } = schema;
    // Two devices with equal rows do not share them: outputs cache texts by the rows, and these contain the device's name.
    const owner = `${name}\n${ip}\n${port}\n`;
    const rows = this.#rows.get(readSection(from), (section) => readRows(unpackSection(section)), owner);
    const { count } = rows;
    if (count * heads.length > batchLimits.cells) throw new BatchFault('The batch has too many values.');
    const readAll = (section: Buffer) => readTextColumns(unpackSection(section), textKinds, count);
    const texts = this.#texts.get(readSection(from), readAll, `${owner}${textKinds}${count} `);
    let text = 0;
    const columns = heads.map((head): Column => {
      const gaps = readBytes(from, count);
      if (gaps?.some((gap) => gap >= gapReasons.length)) throw new BatchFault('A gap has no known reason.');
      const isText = head.kind === 'text' || head.kind === 'list';
      return this.#readColumn(from, head, gaps, isText ? texts[text++] : undefined, count);
    });
    from.end();
    const device = { name: name!, ip: ip!, port };
    const batch: { -readonly [Key in keyof Batch]: Batch[Key] } = {
      device,
      tags: this.#tags.get(headBytes, () => pairTags(tags)),
      record: record!,
      plan,
      generation,
      sequence,
      slotMs,
      timeMs,
      rows,
      columns,
    };
    // Version 2 has a start time whenever it is read, 0 included.
    if (startedMs !== undefined && (version < olderVersions.withFacts || startedMs !== 0))
      batch.startedMs = startedMs;
    if (intervalMs !== undefined && intervalMs !== 0) batch.intervalMs = intervalMs;
    if (shard !== undefined && shard > 0) Object.assign(batch, { shard: shard - 1, epoch });
    if (kindCode === 1) batch.kind = 'event';
    if (trapId !== undefined) batch.trapId = trapId;
    return batch;
  }

  #readColumn(
    from: ByteReader,
    { kind, base }: ColumnHead,
    gaps: Uint8Array | undefined,
    texts: TextValues | undefined,
    count: number,
  ): Column {
    switch (kind) {
      case 'number': {
        const values = new Float64Array(count);
        this.#numbers.read(from, values);
        return { ...base, kind, values, gaps };
      }
      case 'counter': {
        const words = new Uint32Array(2 * count);
        readIntegers(from, words);
        return { ...base, kind, words, gaps };
      }
      case 'boolean': {
        const values = readBytes(from, count);
        if (values === undefined) throw new BatchFault('A column has no values.');
        return { ...base, kind, values, gaps };
      }
      default:
        return { ...base, kind, values: texts, gaps } as Column;
    }
  }
}

function pairTags(tags: readonly string[]): Batch['tags'] {
  const names = tags.filter((_, i) => i % 2 === 0);
  return Object.fromEntries(names.map((name, i) => [name, tags[2 * i + 1]!]));
}

function readSection(from: ByteReader): Buffer {
  return from.bytes(from.count());
}

function readSchema(from: ByteReader, hasFacts: boolean): Schema {
  const codes = from.bytes(from.count());
  const fields = readWholeTexts(from, codes.length);
  const units = readTexts(from);
  const facts = hasFacts ? readTexts(from) : units.map(() => undefined);
  from.end();
  if (units.length !== codes.length || facts.length !== codes.length)
    throw new BatchFault('The schema is not whole.');
  const heads = fields.map((field, i): ColumnHead => {
    const code = codes[i]!;
    const kind = columnKinds[code & 15];
    const metric = metrics[(code >> 4) - 1];
    if (kind === undefined || (metric === undefined) !== code < 16)
      throw new BatchFault('A column is of no known kind.');
    const unit = units[i];
    const base = {
      field,
      ...(metric === undefined ? {} : { metric }),
      ...(unit === undefined ? {} : { unit }),
      ...(facts[i] === undefined ? {} : { about: readFacts(facts[i]!) }),
    };
    return { kind, base };
  });
  const textKinds = heads.map(({ kind }) => (kind === 'text' ? 't' : kind === 'list' ? 'l' : '')).join('');
  return { heads, textKinds };
}

function readRows(from: ByteReader): Rows {
  const count = from.varint();
  if (count > batchLimits.rows) throw new BatchFault('The batch has too many rows.');
  const keys = readWholeTexts(from, count);
  const fields = readWholeTexts(from);
  const labels = fields.map((field) => [field, readTextsOf(from, count)] as const);
  from.end();
  return { count, keys, labels: Object.fromEntries(labels) };
}

function readTextColumns(from: ByteReader, textKinds: string, count: number): readonly TextValues[] {
  const columns = [...textKinds].map((kind) =>
    kind === 't' ? readTextsOf(from, count) : readLists(from, count),
  );
  from.end();
  return columns;
}

function readLists(from: ByteReader, count: number): (readonly string[] | undefined)[] {
  if (from.count() !== count) throw new BatchFault('A column has not as many values as rows.');
  const lengths = Array.from({ length: count }, () => from.varint());
  const names = readWholeTexts(from);
  let start = 0;
  const lists = lengths.map((length) => {
    if (length === 0) return undefined;
    start += length - 1;
    return names.slice(start - length + 1, start);
  });
  if (start !== names.length) throw new BatchFault('Lists are not as long as they say.');
  return lists;
}

function readTextsOf(from: ByteReader, count: number): (string | undefined)[] {
  const texts = readTexts(from);
  if (texts.length !== count) throw new BatchFault('A column has not as many values as rows.');
  return texts;
}

/** A list of texts without a missing one. */
function readWholeTexts(from: ByteReader, count?: number): string[] {
  const texts = readTexts(from);
  if (texts.includes(undefined) || (count !== undefined && texts.length !== count)) {
    throw new BatchFault('A text is missing.');
  }
  return texts as string[];
}

function readBytes(from: ByteReader, count: number): Uint8Array | undefined {
  const isThere = from.byte();
  if (isThere === 0) return undefined;
  const words = new Uint32Array(2 * count);
  readIntegers(from, words);
  const bytes = new Uint8Array(count);
  for (let row = 0; row < count; row++) {
    if (isThere !== 1 || words[2 * row]! > 255 || words[2 * row + 1] !== 0) {
      throw new BatchFault('A byte has more than eight bits.');
    }
    bytes[row] = words[2 * row]!;
  }
  return bytes;
}
