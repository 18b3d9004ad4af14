import { randomInt } from 'node:crypto';
import { type Batch, BatchFault, type Rows } from '../../../src/index.ts';
import {
  ByteReader,
  ByteWriter,
  type FileSystem,
  findFrameHead,
  frameBytes,
  isIntact,
  writeAll,
  writeFrameHead,
} from '../../../src/internal.ts';
import type { ColumnValues, Shape } from '../chunk/block.ts';
import { readColumn, writeColumn } from '../chunk/column-form.ts';
import { packShape, unpackShape } from '../chunk/head-form.ts';
import { ShapeTable } from './shape-table.ts';
import { NumberReader, shapeOf, type TakenColumn, takeColumns } from './taken-columns.ts';

/** Where a poll of a block is in the file. */
export interface Sample {
  readonly shape: Shape;
  readonly timeMs: number;
  readonly at: number;
  readonly bytes: number;
}

/** A poll with its numbers. Columns that were not asked for are undefined. */
export interface SampleValues {
  readonly shape: Shape;
  readonly timeMs: number;
  readonly startedMs: number;
  readonly columns: readonly (ColumnValues | undefined)[];
}

/** What the last batch of a plan looked like: the same objects have the same shape. */
interface KnownShape {
  readonly id: number;
  readonly shape: Shape;
  readonly rows: Rows;
  readonly columns: KnownColumns;
}

/** Devices of the same kind share one. */
interface KnownColumns {
  readonly heads: string;
  readonly taken: readonly TakenColumn[];
}

const magic = Buffer.from('waywiser recent 1\n');
const headBytes = magic.length + 4;
const kind = { shape: 1, sample: 2 } as const;
const scanBytes = 1 << 20;
/** Reading what is between two polls takes less time than another call for them. */
const nearBytes = 16_384;
const readBytes = 1 << 20;
const maxRecordBytes = 1 << 28;

/**
 * The polls of the last minutes, one after the other as they came. A batch is a record: the number of its shape, its times, the length of
 * each column, and the columns. A shape is written before the first batch that has it. All are framed as in a disk queue.
 */
export class RecentFile {
  readonly path: string;
  readonly #files: FileSystem;
  readonly #descriptor: number;
  readonly #marker: number;
  /** What waits to be written, behind `#size` bytes of the file. */
  readonly #pending = new ByteWriter(1 << 18);
  readonly #body = new ByteWriter(1 << 16);
  readonly #column = new ByteWriter(1 << 14);
  readonly #numbers = new NumberReader();
  readonly #known = new Map<string, KnownShape>();
  /** By everything that they say. */
  readonly #columns = new Map<string, KnownColumns>();
  /** By device and record. */
  readonly #samples = new Map<string, Sample[]>();
  #shapes = 0;
  #size: number;
  #records = 0;
  #values = 0;
  #firstMs = Number.POSITIVE_INFINITY;
  #lastMs = 0;
  #damaged = 0;

  private constructor(files: FileSystem, path: string, descriptor: number, marker: number) {
    this.path = path;
    this.#files = files;
    this.#descriptor = descriptor;
    this.#marker = marker;
    this.#size = headBytes;
  }

  static create(files: FileSystem, path: string): RecentFile {
    const descriptor = files.open(path, 'new');
    const marker = randomInt(1, 2 ** 32);
    const head = Buffer.alloc(headBytes);
    magic.copy(head);
    head.writeUInt32LE(marker, magic.length);
    try {
      writeAll(files, descriptor, [head], 0);
    } catch (error) {
      files.close(descriptor);
      files.remove(path);
      throw error;
    }
    return new RecentFile(files, path, descriptor, marker);
  }

  /** Opens the file of an earlier process. Undefined when it is none: it is empty or its head is damaged. */
  static async open(files: FileSystem, path: string): Promise<RecentFile | undefined> {
    const descriptor = files.open(path, 'existing');
    const head = await files.read(descriptor, 0, headBytes);
    if (head.length < headBytes || !head.subarray(0, magic.length).equals(magic)) {
      files.close(descriptor);
      return undefined;
    }
    const file = new RecentFile(files, path, descriptor, head.readUInt32LE(magic.length));
    await file.#scan();
    return file;
  }

  get bytes(): number {
    return this.#size + this.#pending.length;
  }

  get pendingBytes(): number {
    return this.#pending.length;
  }

  get values(): number {
    return this.#values;
  }

  get fromMs(): number {
    return this.#firstMs;
  }

  get toMs(): number {
    return this.#lastMs;
  }

  /** Damaged places that were found when the file was opened. */
  get damaged(): number {
    return this.#damaged;
  }

  /** The keys of all blocks. */
  blocks(): readonly string[] {
    return [...this.#samples.keys()];
  }

  samplesOf(block: string): readonly Sample[] {
    return this.#samples.get(block) ?? [];
  }

  /** Keeps the batch in memory until `flush`. Nothing is kept of a batch without numbers. */
  append(batch: Batch): void {
    const known = this.#shapeOf(batch);
    if (known === undefined) return;
    const {
      shape,
      columns: { taken },
      id,
    } = known;
    const body = this.#body;
    const column = this.#column;
    body.clear();
    column.clear();
    body.byte(kind.sample);
    body.varint(id);
    body.varint(Math.max(0, Math.round(batch.startedMs ?? 0)));
    for (const { index } of taken) {
      const { values, gaps } = this.#numbers.read(batch.columns[index]!, batch.rows);
      const start = column.length;
      writeColumn(column, { streams: [values], gaps }, values.length);
      body.varint(column.length - start);
    }
    body.bytes(column.view());
    const at = this.bytes;
    this.#frame(batch.timeMs);
    this.#add({ shape, timeMs: batch.timeMs, at, bytes: this.bytes - at });
    this.#values += taken.length * batch.rows.count;
  }

  /** Gives everything to the operating system. When it throws, it can be called again. */
  flush(): void {
    if (this.#pending.length === 0) return;
    writeAll(this.#files, this.#descriptor, [this.#pending.view()], this.#size);
    this.#size += this.#pending.length;
    this.#pending.clear();
  }

  /** Makes the next start find everything even when the machine loses power. */
  sync(): Promise<void> {
    return this.#files.sync(this.#descriptor);
  }

  /** Undefined when the record is damaged. */
  read(sample: Sample): SampleValues | undefined {
    const { at, bytes, shape } = sample;
    return this.#parse(sample, this.#readNow(at, bytes), [...shape.columns.keys()]);
  }

  /**
   * Reads polls in the order in which they are in the file; undefined stands for a damaged one. `columnsOf` selects columns by their position in
   * the shape. Polls that are near to each other are read at once.
   */
  *readMany(
    samples: readonly Sample[],
    columnsOf: (shape: Shape) => readonly number[],
  ): Generator<SampleValues | undefined> {
    const sorted = [...samples].sort((a, b) => a.at - b.at);
    for (let i = 0; i < sorted.length; ) {
      const from = sorted[i]!.at;
      let next = i;
      let end = from;
      while (next < sorted.length && sorted[next]!.at - end <= nearBytes && end - from <= readBytes) {
        end = sorted[next]!.at + sorted[next]!.bytes;
        next++;
      }
      const bytes = this.#readNow(from, end - from);
      for (; i < next; i++) {
        const sample = sorted[i]!;
        const start = sample.at - from;
        yield this.#parse(sample, bytes.subarray(start, start + sample.bytes), columnsOf(sample.shape));
      }
    }
  }

  #readNow(at: number, bytes: number): Buffer {
    if (at + bytes > this.#size) this.flush();
    return this.#files.readNow(this.#descriptor, at, bytes);
  }

  #parse({ shape }: Sample, framed: Buffer, wanted: readonly number[]): SampleValues | undefined {
    const head = findFrameHead(framed, 0, this.#marker);
    const record = framed.subarray(frameBytes);
    if (head === undefined || !isIntact(record, head)) return undefined;
    const from = new ByteReader(record);
    from.byte();
    from.varint();
    const startedMs = from.varint();
    const ends: number[] = [];
    let end = 0;
    for (let i = 0; i < shape.columns.length; i++) {
      end += from.varint();
      ends.push(end);
    }
    const start = record.length - from.remaining;
    const columns: (ColumnValues | undefined)[] = [];
    for (const index of wanted) {
      const packed = record.subarray(start + (ends[index - 1] ?? 0), start + ends[index]!);
      columns[index] = readColumn(new ByteReader(packed), 1, shape.keys.length, 1);
    }
    return { shape, timeMs: head.timeMs, startedMs, columns };
  }

  /** Forgets all polls but the last one of each plan. */
  keepLast(): void {
    for (const samples of this.#samples.values()) {
      const last = new Map(samples.map((sample) => [sample.shape.plan, sample]));
      samples.splice(0, samples.length, ...last.values());
    }
  }

  close(): void {
    this.#files.close(this.#descriptor);
  }

  #frame(timeMs: number): void {
    const record = this.#body.view();
    const head = Buffer.allocUnsafe(frameBytes);
    writeFrameHead(head, this.#marker, this.#records++, timeMs, record);
    this.#pending.bytes(head);
    this.#pending.bytes(record);
  }

  #shapeOf(batch: Batch): KnownShape | undefined {
    const place = `${batch.device.name}\n${batch.record}\n${batch.plan}`;
    const before = this.#known.get(place);
    const heads = headsText(batch);
    const hasSameColumns = before?.columns.heads === heads;
    if (hasSameColumns && before.rows === batch.rows) return before;
    const columns = hasSameColumns ? before.columns : this.#share(heads, takeColumns(batch.columns));
    if (columns.taken.length === 0 || batch.rows.count === 0) return undefined;
    const shape = shapeOf(batch, columns.taken);
    const known = { id: this.#shapes++, shape, rows: batch.rows, columns };
    this.#body.clear();
    this.#body.byte(kind.shape);
    this.#body.varint(known.id);
    this.#body.bytes(packShape(known.shape));
    this.#frame(batch.timeMs);
    this.#known.set(place, known);
    return known;
  }

  #share(heads: string, taken: readonly TakenColumn[]): KnownColumns {
    const text = `${heads}${JSON.stringify(taken)}`;
    const known = this.#columns.get(text) ?? { heads, taken };
    this.#columns.set(text, known);
    return known;
  }

  #add(sample: Sample): void {
    const key = blockKey(sample.shape.device, sample.shape.record);
    const samples = this.#samples.get(key);
    if (samples === undefined) this.#samples.set(key, [sample]);
    else samples.push(sample);
    this.#firstMs = Math.min(this.#firstMs, sample.timeMs);
    this.#lastMs = Math.max(this.#lastMs, sample.timeMs);
  }

  /** Finds the shapes and samples of the file. Reading goes on behind a damaged place, and writing behind the last intact record. */
  async #scan(): Promise<void> {
    const shapes = new ShapeTable();
    const size = this.#files.size(this.#descriptor);
    let bytes: Buffer = Buffer.alloc(0);
    let start = headBytes;
    let isSkipping = false;
    for (let at = headBytes; at + frameBytes <= size; ) {
      if (at + frameBytes > start + bytes.length || at < start) {
        bytes = await this.#files.read(this.#descriptor, at, scanBytes);
        start = at;
      }
      const head = findFrameHead(bytes, at - start, this.#marker);
      const end = at + frameBytes + (head?.length ?? 0);
      // The process ended while it wrote this record, which was not flushed yet.
      if (head !== undefined && end > size) break;
      if (head === undefined || head.length > maxRecordBytes) {
        if (!isSkipping) this.#damaged++;
        isSkipping = true;
        at = nextMarker(bytes, at + 1 - start, this.#marker) + start;
        continue;
      }
      if (end > start + bytes.length) {
        bytes = await this.#files.read(this.#descriptor, at, frameBytes + head.length);
        start = at;
      }
      const record = bytes.subarray(at - start + frameBytes, end - start);
      if (isIntact(record, head) && this.#restore(record, shapes, head.timeMs, at, end - at))
        isSkipping = false;
      else this.#damaged++;
      at = end;
      this.#size = end;
      this.#records = head.number + 1;
    }
    if (this.#size < size) this.#files.truncate(this.#descriptor, this.#size);
  }

  #restore(record: Buffer, shapes: ShapeTable, timeMs: number, at: number, bytes: number): boolean {
    try {
      const from = new ByteReader(record);
      const type = from.byte();
      const id = from.varint();
      if (type === kind.shape) {
        shapes.add(id, unpackShape(from.bytes(from.remaining)));
        this.#shapes = Math.max(this.#shapes, id + 1);
        return true;
      }
      const shape = shapes.get(id);
      if (shape === undefined) return false;
      this.#add({ shape, timeMs, at, bytes });
      this.#values += shape.columns.length * shape.keys.length;
      return true;
    } catch (error) {
      if (error instanceof BatchFault) return false;
      throw error;
    }
  }
}

/** Finds all blocks of a record of a device: one for each plan that polls it. */
export function blockKey(device: string, record: string): string {
  return `${device}\n${record}`;
}

function headsText({ columns, intervalMs }: Batch): string {
  let text = String(intervalMs);
  for (const { field, kind: type } of columns) text += `\n${type} ${field}`;
  return text;
}

/** The position of the marker from `from` on, or the last position that may begin one. */
function nextMarker(bytes: Buffer, from: number, marker: number): number {
  const sought = Buffer.alloc(4);
  sought.writeUInt32LE(marker);
  const found = bytes.indexOf(sought, from);
  return found === -1 ? Math.max(from, bytes.length - frameBytes + 1) : found;
}
