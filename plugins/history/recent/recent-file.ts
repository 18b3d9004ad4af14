import { randomInt } from 'node:crypto';
import { type Batch, BatchFault, type Rows } from '../../../src/index.ts';
import { ByteReader, ByteWriter } from '../../../src/model/index.ts';
import { type FileSystem, frameBytes, writeAll, writeFrameHead } from '../../../src/storage/index.ts';
import type { Shape } from '../chunk/block.ts';
import { writeColumn } from '../chunk/column-form.ts';
import { packShape, unpackShape } from '../chunk/head-form.ts';
import { unfinished } from '../unfinished.ts';
import { lengthAt, mostHeadBytes, packHead, packLength, type RecentHead, unpackHead } from './recent-head.ts';
import { type Sample, type SampleValues, unpackSample } from './sample-form.ts';
import { scanRecords } from './scan-records.ts';
import { ShapeTable } from './shape-table.ts';
import { NumberReader, shapeOf, type TakenColumn, takeColumns } from './taken-columns.ts';

/** A poll that was read, before its numbers are. */
export interface StoredSample {
  readonly sample: Sample;
  /** The columns at these positions of the shape; with `rows`, ascending, only these. Undefined when the record is damaged. */
  read(columns: readonly number[], rows: readonly number[] | undefined): SampleValues | undefined;
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

const kind = { shape: 1, sample: 2 } as const;
/** Reading what is between two polls takes less time than another call for them. */
const nearBytes = 16_384;
const readBytes = 1 << 20;

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
  /** Who uses the file: its owner, and questions. */
  #holders = 1;
  /** Whether the head says how long the file is. */
  #saysLength = true;
  #isLengthSaid = false;
  #shapes = 0;
  #size: number;
  #records = 0;
  #values = 0;
  #firstMs = Number.POSITIVE_INFINITY;
  #lastMs = 0;
  #damaged = 0;

  private constructor(files: FileSystem, path: string, descriptor: number, { marker, bytes }: RecentHead) {
    this.path = path;
    this.#files = files;
    this.#descriptor = descriptor;
    this.#marker = marker;
    this.#size = bytes;
  }

  static create(files: FileSystem, path: string): RecentFile {
    // It gets its name with its head, so that an empty file is one that was cut.
    const unfinishedPath = `${path}${unfinished}`;
    const descriptor = files.open(unfinishedPath, 'new');
    const head = packHead(randomInt(1, 2 ** 32));
    try {
      writeAll(files, descriptor, [head], 0);
      files.rename(unfinishedPath, path);
    } catch (error) {
      files.close(descriptor);
      files.remove(unfinishedPath);
      throw error;
    }
    return new RecentFile(files, path, descriptor, unpackHead(head)!);
  }

  /**
   * Opens the file of an earlier process. Undefined when it is none: it is empty or its head is damaged. Throws a NewerFileFault for one of a
   * newer version.
   */
  static async open(files: FileSystem, path: string): Promise<RecentFile | undefined> {
    const descriptor = files.open(path, 'existing');
    try {
      const head = unpackHead(await files.read(descriptor, 0, mostHeadBytes));
      if (head !== undefined) {
        const file = new RecentFile(files, path, descriptor, head);
        file.#saysLength = head.fileBytes !== undefined;
        await file.#scan(head);
        return file;
      }
    } catch (error) {
      files.close(descriptor);
      throw error;
    }
    files.close(descriptor);
    return undefined;
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
    if (this.#pending.length > 0) {
      writeAll(this.#files, this.#descriptor, [this.#pending.view()], this.#size);
      this.#size += this.#pending.length;
      this.#pending.clear();
      this.#isLengthSaid = false;
    }
    if (!this.#saysLength || this.#isLengthSaid) return;
    writeAll(this.#files, this.#descriptor, [packLength(this.#size)], lengthAt);
    this.#isLengthSaid = true;
  }

  /** Makes the next start find everything even when the machine loses power. */
  sync(): Promise<void> {
    return this.#files.sync(this.#descriptor);
  }

  /** Undefined when the record is damaged. */
  read(sample: Sample): SampleValues | undefined {
    const { at, bytes, shape } = sample;
    return unpackSample(sample, this.#readNow(at, bytes), this.#marker, [...shape.columns.keys()]);
  }

  /** Polls in the order in which they are in the file, each with what reads its columns. Polls that are near to each other are read at once. */
  async *readMany(samples: readonly Sample[]): AsyncGenerator<StoredSample> {
    const sorted = [...samples].sort((a, b) => a.at - b.at);
    for (let i = 0; i < sorted.length; ) {
      const from = sorted[i]!.at;
      const isPending = from >= this.#size;
      let next = i;
      let end = from;
      while (
        next < sorted.length &&
        sorted[next]!.at >= this.#size === isPending &&
        sorted[next]!.at - end <= nearBytes &&
        end - from <= readBytes
      ) {
        end = sorted[next]!.at + sorted[next]!.bytes;
        next++;
      }
      const bytes = isPending
        ? Buffer.from(this.#readPending(from, end - from))
        : await this.#files.read(this.#descriptor, from, end - from);
      for (; i < next; i++) {
        const sample = sorted[i]!;
        const start = sample.at - from;
        const framed = bytes.subarray(start, start + sample.bytes);
        yield { sample, read: (columns, rows) => unpackSample(sample, framed, this.#marker, columns, rows) };
      }
    }
  }

  /** What is not written yet can be read, also when the disk is full. */
  #readPending(at: number, bytes: number): Buffer {
    const start = at - this.#size;
    return this.#pending.view().subarray(start, start + bytes);
  }

  #readNow(at: number, bytes: number): Buffer {
    return at >= this.#size ? this.#readPending(at, bytes) : this.#files.readNow(this.#descriptor, at, bytes);
  }

  /** Forgets all polls but the last one of each plan. */
  keepLast(): void {
    for (const samples of this.#samples.values()) {
      const last = new Map(samples.map((sample) => [sample.shape.plan, sample]));
      samples.splice(0, samples.length, ...last.values());
    }
  }

  /** The file can be read until the result is called, also after `close`. */
  hold(): () => void {
    this.#holders++;
    return () => this.#release();
  }

  close(): void {
    this.#release();
  }

  #release(): void {
    if (--this.#holders === 0) this.#files.close(this.#descriptor);
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

  /** Finds the shapes and samples of the file. Writing goes on behind the last intact record. */
  async #scan({ marker, bytes, fileBytes = bytes }: RecentHead): Promise<void> {
    const shapes = new ShapeTable();
    const size = this.#files.size(this.#descriptor);
    if (size < fileBytes) this.#damaged++;
    for await (const found of scanRecords(this.#files, this.#descriptor, { marker, from: bytes })) {
      const { record, head, end } = found;
      const isRead =
        record !== undefined && this.#restore(record, shapes, head.timeMs, found.at, found.end - found.at);
      if (!isRead) this.#damaged++;
      if (head === undefined || end === undefined) continue;
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
