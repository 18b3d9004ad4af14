import { createHash } from 'node:crypto';
import { crc32 } from 'node:zlib';
import { BatchFault } from '../../../src/index.ts';
import { type FileSystem, writeAll } from '../../../src/internal.ts';
import type { BlockHead, ColumnValues } from '../chunk/block.ts';
import { ColumnPacker, unpackColumn } from '../chunk/column-form.ts';
import { packHead, unpackHead } from '../chunk/head-form.ts';

/**
 * A file of blocks that is written once:
 *
 * - blocks, each its head with a checksum and then its columns with one each;
 * - an entry for each block, in the order of the hashes of device and record: 6 bytes of the hash, 6 with the position, 4 with the
 *   length of the head;
 * - an end of fixed length that says where the entries begin.
 */
const magic = Buffer.from('waywiser history 1');
const entryBytes = 16;
const endBytes = 6 + 6 + 8 + 8 + 4 + magic.length;
/** So many bytes of entries are read at once: an index of 4,096 blocks. */
const indexAtOnce = 65_536;
const bufferedBytes = 1 << 20;

interface Entry {
  readonly hash: number;
  readonly at: number;
  readonly headBytes: number;
}

export class TierFileWriter {
  readonly #files: FileSystem;
  readonly #descriptor: number;
  readonly #entries: Entry[] = [];
  readonly #packer = new ColumnPacker();
  #waiting: Buffer[] = [];
  #waitingBytes = 0;
  #size = 0;
  #values = 0;
  #fromMs = Number.POSITIVE_INFINITY;
  #toMs = 0;

  constructor(files: FileSystem, path: string) {
    this.#files = files;
    this.#descriptor = files.open(path, 'new');
  }

  get bytes(): number {
    return this.#size + this.#waitingBytes;
  }

  get values(): number {
    return this.#values;
  }

  get fromMs(): number {
    return this.#fromMs;
  }

  get toMs(): number {
    return this.#toMs;
  }

  /** `columns` are the lists of the head's columns, in the same order. */
  add(key: string, head: BlockHead, columns: readonly ColumnValues[]): void {
    const { times, shape } = head;
    const packed = columns.map((column, i) =>
      this.#packer.pack(`${shape.record}\n${shape.columns[i]!.field}`, column, times.length),
    );
    const headSection = packHead(
      head,
      packed.map(({ length }) => length),
    );
    const checksum = Buffer.alloc(4);
    checksum.writeUInt32LE(crc32(headSection));
    this.#entries.push({ hash: hashOf(key), at: this.bytes, headBytes: headSection.length });
    this.#put(headSection, checksum, ...packed);
    this.#values += times.length * shape.keys.length * columns.length;
    this.#fromMs = Math.min(this.#fromMs, times[0]!);
    this.#toMs = Math.max(this.#toMs, times.at(-1)!);
  }

  /** Writes the rest. Nothing can be read before. */
  finish(): void {
    const indexAt = this.bytes;
    this.#entries.sort((a, b) => a.hash - b.hash);
    const index = Buffer.alloc(this.#entries.length * entryBytes);
    this.#entries.forEach(({ hash, at, headBytes }, i) => {
      index.writeUIntLE(hash, i * entryBytes, 6);
      index.writeUIntLE(at, i * entryBytes + 6, 6);
      index.writeUInt32LE(headBytes, i * entryBytes + 12);
    });
    const end = Buffer.alloc(endBytes);
    end.writeUIntLE(indexAt, 0, 6);
    end.writeUIntLE(this.#entries.length, 6, 6);
    end.writeDoubleLE(this.#fromMs, 12);
    end.writeDoubleLE(this.#toMs, 20);
    end.writeUInt32LE(crc32(index), 28);
    magic.copy(end, 32);
    this.#put(index, end);
    this.#flush();
    this.#files.syncNow(this.#descriptor);
  }

  close(): void {
    this.#files.close(this.#descriptor);
  }

  #put(...parts: readonly Buffer[]): void {
    for (const part of parts) {
      this.#waiting.push(part);
      this.#waitingBytes += part.length;
    }
    if (this.#waitingBytes >= bufferedBytes) this.#flush();
  }

  #flush(): void {
    const bytes = Buffer.concat(this.#waiting);
    writeAll(this.#files, this.#descriptor, [bytes], this.#size);
    this.#size += bytes.length;
    this.#waiting = [];
    this.#waitingBytes = 0;
  }
}

/** Read with the head of a block: a small block is read at once. */
const aheadBytes = 65_536;

/** A block of a file: its head, and where its columns are. */
export interface StoredBlock {
  readonly head: BlockHead;
  readonly at: readonly number[];
  readonly lengths: readonly number[];
  /** The bytes from `startAt` on that were read with the head. */
  readonly ahead: Buffer;
  readonly startAt: number;
}

/** Reads a finished file. Throws a BatchFault for a part that is damaged; the other parts can be read. */
export class TierFile {
  readonly #files: FileSystem;
  readonly #descriptor: number;
  readonly #streams: number;
  readonly #indexAt: number;
  readonly #count: number;
  readonly #checksum: number;
  #entries: Buffer | undefined;

  private constructor(files: FileSystem, descriptor: number, streams: number, tail: Buffer) {
    const end = tail.subarray(-endBytes);
    this.#files = files;
    this.#descriptor = descriptor;
    this.#streams = streams;
    this.#indexAt = end.readUIntLE(0, 6);
    this.#count = end.readUIntLE(6, 6);
    this.#checksum = end.readUInt32LE(28);
    const indexBytes = this.#count * entryBytes;
    if (indexBytes + endBytes <= tail.length)
      this.#entries = this.#intact(tail.subarray(-indexBytes - endBytes, -endBytes));
  }

  /** `checked` has the paths whose index was compared with its checksum. An index that is not read at once is compared only once. */
  static async open(
    files: FileSystem,
    path: string,
    streams: number,
    checked: Set<string>,
  ): Promise<TierFile> {
    const descriptor = files.open(path, 'read');
    try {
      const size = files.size(descriptor);
      const tailAt = Math.max(0, size - indexAtOnce - endBytes);
      const tail = await files.read(descriptor, tailAt, size - tailAt);
      if (tail.length < endBytes || !tail.subarray(32 - endBytes).equals(magic))
        throw new BatchFault('Its end is damaged.');
      const file = new TierFile(files, descriptor, streams, tail);
      if (file.#indexAt + file.#count * entryBytes + endBytes !== size)
        throw new BatchFault('Its end is damaged.');
      if (file.#entries === undefined && !checked.has(path))
        file.#intact(await files.read(descriptor, file.#indexAt, file.#count * entryBytes));
      checked.add(path);
      return file;
    } catch (error) {
      files.close(descriptor);
      throw error;
    }
  }

  close(): void {
    this.#files.close(this.#descriptor);
  }

  /** The blocks of a device and a record; `key` is that of `blockKey`. */
  async find(key: string): Promise<StoredBlock[]> {
    const hash = hashOf(key);
    const found: StoredBlock[] = [];
    for (let i = await this.#firstWith(hash); i < this.#count; i++) {
      const entry = await this.#entryAt(i);
      if (entry.hash !== hash) break;
      const block = await this.#blockAt(entry);
      const { device, record } = block.head.shape;
      if (`${device}\n${record}` === key) found.push(block);
    }
    return found;
  }

  /** All blocks, in the order of their keys' hashes: the same in every file. A damaged one is reported and left out. */
  async *blocks(
    onDamage: (error: BatchFault) => void,
  ): AsyncGenerator<{ readonly hash: number; readonly block: StoredBlock }> {
    for (let i = 0; i < this.#count; i++) {
      const entry = await this.#entryAt(i);
      try {
        yield { hash: entry.hash, block: await this.#blockAt(entry) };
      } catch (error) {
        if (!(error instanceof BatchFault)) throw error;
        onDamage(error);
      }
    }
  }

  /** With `rows`, ascending, the result has only these rows, one after the other. */
  async column(
    { head, at, lengths, ahead, startAt }: StoredBlock,
    index: number,
    rows?: readonly number[],
  ): Promise<ColumnValues> {
    const [columnAt, length] = [at[index]!, lengths[index]!];
    const from = columnAt - startAt;
    const bytes =
      from + length <= ahead.length
        ? ahead.subarray(from, from + length)
        : await this.#files.read(this.#descriptor, columnAt, length);
    return unpackColumn(bytes, head.shape.keys.length, head.times.length, this.#streams, rows);
  }

  async #blockAt({ at, headBytes }: Entry): Promise<StoredBlock> {
    const bytes = await this.#files.read(this.#descriptor, at, headBytes + 4 + aheadBytes);
    const packed = bytes.subarray(0, headBytes);
    if (bytes.length < headBytes + 4 || crc32(packed) !== bytes.readUInt32LE(headBytes)) {
      throw new BatchFault('The head of a block is damaged.');
    }
    const { head, lengths } = unpackHead(packed);
    const places: number[] = [];
    let next = at + headBytes + 4;
    for (const length of lengths) {
      places.push(next);
      next += length;
    }
    return { head, lengths, at: places, ahead: bytes, startAt: at };
  }

  /** The first entry whose hash is not below `hash`. */
  async #firstWith(hash: number): Promise<number> {
    let [low, high] = [0, this.#count];
    while (low < high) {
      const middle = (low + high) >>> 1;
      if ((await this.#entryAt(middle)).hash < hash) low = middle + 1;
      else high = middle;
    }
    return low;
  }

  #intact(entries: Buffer): Buffer {
    if (crc32(entries) !== this.#checksum) throw new BatchFault('Its index is damaged.');
    return entries;
  }

  async #entryAt(i: number): Promise<Entry> {
    const at = i * entryBytes;
    const bytes =
      this.#entries?.subarray(at, at + entryBytes) ??
      (await this.#files.read(this.#descriptor, this.#indexAt + at, entryBytes));
    if (bytes.length < entryBytes) throw new BatchFault('Its index is damaged.');
    return { hash: bytes.readUIntLE(0, 6), at: bytes.readUIntLE(6, 6), headBytes: bytes.readUInt32LE(12) };
  }
}

function hashOf(key: string): number {
  return createHash('sha1').update(key).digest().readUIntLE(0, 6);
}
