import type { Oid } from '../../model/oid.ts';
import { berTag } from '../codec/ber-tag.ts';
import { BerWriter } from '../codec/ber-writer.ts';
import { oidBefore } from '../codec/oid-before.ts';
import { decodeOid } from '../codec/oid-bytes.ts';

/** What the messages of a compiled request begin with; all devices with the same objects share their requests. */
export type Dialect =
  | { readonly version: '1' | '2c'; readonly community: string }
  | { readonly version: '3' };

/** A datagram (in SNMPv3 a PDU) that is sent again and again: only the four octets of the request-id at `idAt` change. */
export interface Template {
  bytes: Buffer;
  readonly idAt: number;
  readonly isBulk: boolean;
  /** The varbinds that its reply is expected to hold: `[from, from + ask)` of the request. */
  readonly from: number;
  readonly ask: number;
}

export interface RequestParts {
  readonly dialect: Dialect;
  /** Scalars count as columns with one value. */
  readonly columns: readonly Oid[];
  /** The number of values of each column; undefined when all have as many. */
  readonly perColumn?: readonly number[] | undefined;
  /** Content octets of the expected OIDs, in the order of the replies. */
  readonly oids: readonly Uint8Array[];
  readonly slots: Uint32Array;
  /** GETBULK: the number of columns; OIDs are in row order. 0: only GET. */
  readonly width: number;
  /** GETBULK: the OIDs that the first row follows, one per column. */
  readonly starts: readonly Uint8Array[];
  readonly maxBytes: number;
  readonly maxOids: number;
}

const headerBytes = 60;
const securedHeaderBytes = 160;
/** Error-status, error-index and the header of the list in a full reply. */
const bodyHeaderBytes = 10;
/** Sequence, two tags, two lengths, and a value of five octets. */
const guessedOverheadBytes = 11;
const maxTemplates = 256;
const maxReduced = 16;
/** Fewer values than this are cheaper to read by GET: a GETBULK reads beyond them. */
export const minBulkValues = 16;

/**
 * Values that are read in one order, with as many messages as the device's replies need. All devices with the same objects
 * share it. Only two things change: its templates, which are built once each, and its estimate of the values' size.
 */
export class CompiledRequest {
  readonly dialect: Dialect;
  readonly community: Buffer;
  readonly count: number;
  readonly width: number;
  readonly columns: readonly Oid[];
  readonly slots: Uint32Array;
  /** All expected OIDs, one after the other; number i is `[offsets[i], offsets[i + 1])`. */
  readonly expected: Uint8Array;
  readonly expectedView: DataView;
  readonly offsets: Uint32Array;
  readonly #perColumn: readonly number[] | undefined;
  readonly #starts: readonly Uint8Array[];
  readonly #maxBytes: number;
  readonly #maxOids: number;
  readonly #templates = new Map<number, Template>();
  #varbindBytes: number;
  // Created when needed: nearly all devices answer everything.
  #reduced: Map<string, CompiledRequest> | undefined = undefined;
  #present: Map<string, readonly CompiledRequest[]> | undefined = undefined;

  constructor(parts: RequestParts) {
    const { oids, dialect } = parts;
    this.dialect = dialect;
    this.community = Buffer.from(dialect.version === '3' ? '' : dialect.community);
    this.count = oids.length;
    this.width = parts.width;
    this.columns = parts.columns;
    this.#perColumn = parts.perColumn;
    this.slots = parts.slots;
    this.#starts = parts.starts;
    this.#maxBytes = parts.maxBytes - headerBytesOf(dialect);
    this.#maxOids = parts.maxOids;
    this.expected = Buffer.concat(oids);
    this.expectedView = new DataView(this.expected.buffer, this.expected.byteOffset, this.expected.length);
    this.offsets = new Uint32Array(oids.length + 1);
    let offset = 0;
    for (const [i, oid] of oids.entries()) {
      offset += oid.length;
      this.offsets[i + 1] = offset;
    }
    this.#varbindBytes = guessedOverheadBytes + offset / Math.max(1, oids.length);
  }

  /** The message that requests varbind `index` and those after it, at most `limit` of them. */
  template(index: number, isBulk: boolean, limit: number): Template {
    const { width, count } = this;
    const fitting = Math.max(1, Math.min(limit, Math.floor(this.#maxBytes / this.#varbindBytes)));
    if (!isBulk) return this.#find(index, Math.min(fitting, this.#maxOids, count - index), false);
    const from = index - (index % width);
    const rows = Math.max(1, Math.min(Math.floor(fitting / width), (count - from) / width));
    return this.#find(from, rows * width, true);
  }

  /** Learns from a reply how much fits into the next one: `bytes` from its error-status on. */
  learnSize(bytes: number, varbinds: number): void {
    const size = (bytes - bodyHeaderBytes) / varbinds;
    this.#varbindBytes += (size - this.#varbindBytes) / 8;
  }

  /** The OID that varbind `i` of a bulk reply from `from` on must follow. */
  startOf(from: number, i: number): Uint8Array {
    const column = i % this.width;
    return from === 0 ? this.#starts[column]! : this.oid(from - this.width + column);
  }

  /** The number of the column that varbind `index` belongs to. */
  columnOf(index: number): number {
    const { width, columns, count } = this;
    if (width > 1) return index % width;
    if (this.#perColumn === undefined) return Math.floor((index * columns.length) / count);
    let end = 0;
    return this.#perColumn.findIndex((values) => {
      end += values;
      return index < end;
    });
  }

  /** Reads only the varbinds that pass: by GET column after column, or, with a `width`, by GETBULK in the same order as now. */
  select(passes: (index: number, column: number) => boolean, width = 0): CompiledRequest {
    const picked = this.columns.map((): number[] => []);
    for (let i = 0; i < this.count; i++) {
      const column = this.columnOf(i);
      if (passes(i, column)) picked[column]!.push(i);
    }
    const indexes = width > 1 ? picked.flat().sort((a, b) => a - b) : picked.flat();
    return new CompiledRequest({
      dialect: this.dialect,
      columns: this.columns.filter((_, column) => picked[column]!.length > 0),
      perColumn: picked.map(({ length }) => length).filter((length) => length > 0),
      oids: indexes.map((index) => this.oid(index)),
      slots: Uint32Array.from(indexes, (index) => this.slots[index]!),
      width,
      starts: indexes.slice(0, width).map((index) => oidBefore(this.oid(index))),
      maxBytes: this.#maxBytes + headerBytesOf(this.dialect),
      maxOids: this.#maxOids,
    });
  }

  /** Reads by GET without these columns and instances. All devices that do not answer for the same ones share it. */
  without(columns: readonly number[], instances: readonly Oid[]): CompiledRequest {
    this.#reduced ??= new Map();
    const key = `${columns.join()} ${instances.join()}`;
    const known = this.#reduced.get(key);
    if (known !== undefined) return known;
    if (this.#reduced.size >= maxReduced) this.#reduced.clear();
    const silent = new Set(instances);
    const reduced = this.select(
      (i, column) =>
        !columns.includes(column) && (silent.size === 0 || !silent.has(decodeOid(this.oid(i)) ?? '')),
    );
    this.#reduced.set(key, reduced);
    return reduced;
  }

  /**
   * Reads the same without values that the device does not have. A GETBULK passes over them: a stream stays a stream, and columns
   * side by side stay so while they have all their rows. All devices that lack the same share it.
   */
  leaveOut(isAbsent: (slot: number) => boolean): readonly CompiledRequest[] {
    const absent: string[] = [];
    for (let i = 0, from = -1; i <= this.count; i++) {
      const isOut = i < this.count && isAbsent(this.slots[i]!);
      if (isOut && from < 0) from = i;
      if (isOut || from < 0) continue;
      absent.push(`${from}-${i}`);
      from = -1;
    }
    if (absent.length === 0) return [this];
    this.#present ??= new Map();
    const key = absent.join();
    const known = this.#present.get(key);
    if (known !== undefined) return known;
    if (this.#present.size >= maxReduced) this.#present.clear();
    const present = this.#selectPresent(isAbsent).filter(({ count }) => count > 0);
    this.#present.set(key, present);
    return present;
  }

  #selectPresent(isAbsent: (slot: number) => boolean): CompiledRequest[] {
    const { width, count, slots } = this;
    const isPresent = (index: number) => !isAbsent(slots[index]!);
    if (width <= 1) {
      const left = slots.reduce((sum, slot) => sum + Number(!isAbsent(slot)), 0);
      return [this.select(isPresent, left < minBulkValues ? 0 : width)];
    }
    const rows = count / width;
    const left = new Uint32Array(width);
    for (let i = 0; i < count; i++) if (isPresent(i)) left[i % width]!++;
    const whole = left.filter((values) => values === rows).length;
    if (whole * rows < minBulkValues) return [this.select(isPresent)];
    return [
      this.select((_, column) => left[column] === rows, whole),
      this.select((index, column) => left[column]! < rows && isPresent(index)),
    ];
  }

  oid(index: number): Uint8Array {
    return this.expected.subarray(this.offsets[index]!, this.offsets[index + 1]!);
  }

  #find(from: number, ask: number, isBulk: boolean): Template {
    const key = (from * 4096 + ask) * 2 + (isBulk ? 1 : 0);
    const known = this.#templates.get(key);
    if (known !== undefined) return known;
    if (this.#templates.size >= maxTemplates) this.#templates.clear();
    const template = this.#build(from, ask, isBulk);
    this.#templates.set(key, template);
    return template;
  }

  #build(from: number, ask: number, isBulk: boolean): Template {
    const writer = new BerWriter(4096);
    const varbinds = isBulk ? this.width : ask;
    for (let i = varbinds - 1; i >= 0; i--) {
      const varbind = writer.mark();
      writer.empty(berTag.null);
      writer.octets(berTag.objectIdentifier, isBulk ? this.startOf(from, i) : this.oid(from + i));
      writer.header(berTag.sequence, varbind);
    }
    writer.header(berTag.sequence, 0);
    writer.integer(isBulk ? ask / this.width : 0);
    writer.integer(0);
    const idFromEnd = writer.size + 4;
    writer.octets(berTag.integer, new Uint8Array(4));
    writer.header(isBulk ? berTag.getBulkRequest : berTag.getRequest, 0);
    if (this.dialect.version !== '3') {
      writer.octets(berTag.octetString, this.community);
      writer.integer(this.dialect.version === '1' ? 0 : 1);
      writer.header(berTag.sequence, 0);
    }
    const bytes = writer.toBuffer();
    return { bytes, idAt: bytes.length - idFromEnd, isBulk, from, ask };
  }
}

function headerBytesOf({ version }: Dialect): number {
  return version === '3' ? securedHeaderBytes : headerBytes;
}
