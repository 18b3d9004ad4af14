import { createHash } from 'node:crypto';
import { crc32 } from 'node:zlib';
import { BatchFault } from '../../../src/index.ts';
import { type FileSystem, writeAll } from '../../../src/storage/index.ts';
import type { SliceTurns } from '../../../src/timing/index.ts';
import type { BlockHead, ColumnValues } from '../chunk/block.ts';
import { ColumnPacker, unpackColumn } from '../chunk/column-form.ts';
import { NewerFileFault, readVersion } from '../chunk/file-version.ts';
import { packHead, unpackHead } from '../chunk/head-form.ts';

/**
 * A file of blocks that is written once:
 *
 * - its form;
 * - blocks, each the length of its head (4 bytes), its head with a checksum and then its columns with one each;
 * - an entry for each block, in the order of the hashes of device and record: 6 bytes of the hash, 6 with the position, 4 with the
 *   length of the head;
 * - an end of fixed length that says where the entries begin, and its form.
 *
 * Where the end is missing, the blocks are found one after the other. Form 1 has no length before a head, and its form at the end only.
 */
const magic = Buffer.from('waywiser history 2');
const marks = { start: /^waywiser history (\d+)/, end: /waywiser history (\d+)$/ };
const newest = 2;
const lengthBytes = 4;
const entryBytes = 16;
const hashBits = 48;
const endBytes = 6 + 6 + 8 + 8 + 4 + magic.length;
/** An index of 256 blocks stays in memory. Of a longer one, a part is read for each question. */
const keptIndexBytes = 256 * entryBytes;
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
    this.#put(magic);
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
    const length = Buffer.alloc(lengthBytes);
    length.writeUInt32LE(headSection.length);
    const checksum = Buffer.alloc(4);
    checksum.writeUInt32LE(crc32(headSection));
    const at = this.bytes + lengthBytes;
    this.#entries.push({ hash: hashOf(key), at, headBytes: headSection.length });
    this.#put(length, headSection, checksum, ...packed);
    this.#values += times.length * shape.keys.length * columns.length;
    this.#fromMs = Math.min(this.#fromMs, times[0]!);
    this.#toMs = Math.max(this.#toMs, times.at(-1)!);
  }

  /** Writes the rest. Nothing can be read before. */
  finish(): void {
    const indexAt = this.bytes;
    const index = packEntries(this.#entries);
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

/** Where the entries of a file are. Files never change: it is read, and the entries are compared with their checksum, once. */
export interface TierIndex {
  readonly at: number;
  readonly count: number;
  /** Undefined when there are many. */
  readonly entries: Buffer | undefined;
}

/** What files are read with. */
export interface TierAccess {
  readonly files: FileSystem;
  /** How many lists of numbers a column has. */
  readonly streams: number;
  /** Those that are known, by path. */
  readonly indexes: Map<string, TierIndex>;
  /** Parts are decoded in turns with other work. */
  readonly turns: SliceTurns;
  /** Is told of a file of which something is missing; the rest can be read. */
  readonly onDamage: (path: string) => void;
}

/** Reads a finished file. Throws a BatchFault for a part that is damaged; the other parts can be read. */
export class TierFile {
  readonly #files: FileSystem;
  readonly #descriptor: number;
  readonly #streams: number;
  readonly #turns: SliceTurns;
  readonly #index: TierIndex;

  private constructor({ files, streams, turns }: TierAccess, descriptor: number, index: TierIndex) {
    this.#files = files;
    this.#descriptor = descriptor;
    this.#streams = streams;
    this.#turns = turns;
    this.#index = index;
  }

  static async open(path: string, access: TierAccess): Promise<TierFile> {
    const { files, indexes } = access;
    const descriptor = files.open(path, 'read');
    try {
      const index = indexes.get(path) ?? (await findIndex(path, descriptor, access));
      indexes.set(path, index);
      return new TierFile(access, descriptor, index);
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
    const entries = this.#index.entries ?? (await this.#readEntriesAround(hash));
    for (let i = firstWith(entries, hash); i < countOf(entries) && hashAt(entries, i) === hash; i++) {
      const block = await this.#blockAt(entryAt(entries, i));
      const { device, record } = block.head.shape;
      if (`${device}\n${record}` === key) found.push(block);
    }
    return found;
  }

  /** All blocks, in the order of their keys' hashes: the same in every file. A damaged one is reported and left out. */
  async *blocks(
    onDamage: (error: BatchFault) => void,
  ): AsyncGenerator<{ readonly hash: number; readonly block: StoredBlock }> {
    const entries = this.#index.entries ?? (await this.#readEntries(0, this.#index.count));
    for (let i = 0; i < countOf(entries); i++) {
      const entry = entryAt(entries, i);
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
    await this.#turns.rest();
    return unpackColumn(bytes, head.shape.keys.length, head.times.length, this.#streams, rows);
  }

  async #blockAt({ at, headBytes }: Entry): Promise<StoredBlock> {
    const bytes = await this.#files.read(this.#descriptor, at, headBytes + 4 + aheadBytes);
    await this.#turns.rest();
    const found = readHead(bytes, headBytes);
    if (found === undefined) throw new BatchFault('The head of a block is damaged.');
    const { head, lengths } = found;
    const places: number[] = [];
    let next = at + headBytes + 4;
    for (const length of lengths) {
      places.push(next);
      next += length;
    }
    return { head, lengths, at: places, ahead: bytes, startAt: at };
  }

  /** All entries with this hash. Hashes are spread evenly, so the place of one is nearly known. */
  async #readEntriesAround(hash: number): Promise<Buffer> {
    const { count } = this.#index;
    const place = Math.floor((hash / 2 ** hashBits) * count);
    const spread = Math.ceil(2 * Math.sqrt(count));
    const [from, to] = [Math.max(0, place - spread), Math.min(count, place + spread)];
    const entries = await this.#readEntries(from, to);
    const hasFirst = from === 0 || hashAt(entries, 0) < hash;
    const hasLast = to === count || hashAt(entries, to - from - 1) > hash;
    return hasFirst && hasLast ? entries : this.#readEntries(0, count);
  }

  async #readEntries(from: number, to: number): Promise<Buffer> {
    const length = (to - from) * entryBytes;
    const entries = await this.#files.read(this.#descriptor, this.#index.at + from * entryBytes, length);
    if (entries.length < length) throw new BatchFault('Its index is damaged.');
    return entries;
  }
}

async function findIndex(
  path: string,
  descriptor: number,
  { files, turns, onDamage }: TierAccess,
): Promise<TierIndex> {
  try {
    return await readIndex(files, descriptor);
  } catch (error) {
    if (!(error instanceof BatchFault) || error instanceof NewerFileFault) throw error;
    const start = await files.read(descriptor, 0, magic.length);
    if (readVersion(start, marks.start, newest) === undefined) throw error;
    const entries = await collectEntries(files, descriptor, turns);
    onDamage(path);
    return { at: 0, count: entries.length, entries: packEntries(entries) };
  }
}

async function readIndex(files: FileSystem, descriptor: number): Promise<TierIndex> {
  const size = files.size(descriptor);
  const tailAt = Math.max(0, size - keptIndexBytes - endBytes);
  const tail = await files.read(descriptor, tailAt, size - tailAt);
  const end = tail.subarray(-endBytes);
  const isEnd = readVersion(end, marks.end, newest) !== undefined && end.length === endBytes;
  if (!isEnd) throw new BatchFault('Its end is damaged.');
  const [at, count] = [end.readUIntLE(0, 6), end.readUIntLE(6, 6)];
  const bytes = count * entryBytes;
  if (at + bytes + endBytes !== size) throw new BatchFault('Its end is damaged.');
  const isKept = at >= tailAt;
  const entries = isKept ? tail.subarray(at - tailAt, -endBytes) : await files.read(descriptor, at, bytes);
  if (crc32(entries) !== end.readUInt32LE(28)) throw new BatchFault('Its index is damaged.');
  return { at, count, entries: isKept ? entries : undefined };
}

/** The blocks of a file without an index, up to the first one whose head is damaged. */
async function collectEntries(files: FileSystem, descriptor: number, turns: SliceTurns): Promise<Entry[]> {
  const entries: Entry[] = [];
  for (let at = magic.length; ; ) {
    const length = await files.read(descriptor, at, lengthBytes);
    const headBytes = length.length < lengthBytes ? 0 : length.readUInt32LE(0);
    if (headBytes === 0 || at + lengthBytes + headBytes > files.size(descriptor)) return entries;
    at += lengthBytes;
    const bytes = await files.read(descriptor, at, headBytes + 4);
    await turns.rest();
    const block = readHead(bytes, headBytes);
    if (block === undefined) return entries;
    const { device, record } = block.head.shape;
    entries.push({ hash: hashOf(`${device}\n${record}`), at, headBytes });
    at += headBytes + 4 + block.lengths.reduce((sum, each) => sum + each, 0);
  }
}

/** The head of a block at the beginning of the bytes. Undefined when it is damaged. */
function readHead(bytes: Buffer, headBytes: number): ReturnType<typeof unpackHead> | undefined {
  const packed = bytes.subarray(0, headBytes);
  const isIntactHead = bytes.length >= headBytes + 4 && crc32(packed) === bytes.readUInt32LE(headBytes);
  return isIntactHead ? unpackHead(packed) : undefined;
}

function packEntries(entries: readonly Entry[]): Buffer {
  const sorted = [...entries].sort((a, b) => a.hash - b.hash);
  const packed = Buffer.alloc(sorted.length * entryBytes);
  for (const [i, { hash, at, headBytes }] of sorted.entries()) {
    packed.writeUIntLE(hash, i * entryBytes, 6);
    packed.writeUIntLE(at, i * entryBytes + 6, 6);
    packed.writeUInt32LE(headBytes, i * entryBytes + 12);
  }
  return packed;
}

function countOf(entries: Buffer): number {
  return entries.length / entryBytes;
}

function hashAt(entries: Buffer, i: number): number {
  return entries.readUIntLE(i * entryBytes, 6);
}

function entryAt(entries: Buffer, i: number): Entry {
  const at = i * entryBytes;
  return {
    hash: hashAt(entries, i),
    at: entries.readUIntLE(at + 6, 6),
    headBytes: entries.readUInt32LE(at + 12),
  };
}

/** The first entry whose hash is not below `hash`. */
function firstWith(entries: Buffer, hash: number): number {
  let [low, high] = [0, countOf(entries)];
  while (low < high) {
    const middle = (low + high) >>> 1;
    if (hashAt(entries, middle) < hash) low = middle + 1;
    else high = middle;
  }
  return low;
}

function hashOf(key: string): number {
  return createHash('sha1').update(key).digest().readUIntLE(0, 6);
}
