import assert from 'node:assert/strict';
import { RecordLog } from '../../../src/storage/segments/record-log.ts';
import { MemoryFiles } from './memory-files.ts';

/** The layout of a segment, as in docs/delivery.md. */
const headerBytes = 256;
const frameBytes = 32;

const segmentBytes = 1 << 20;
const recordCount = 64;
const directory = '/queue';
const cursorsPath = `${directory}/cursors`;

export interface WrittenSegment {
  readonly name: string;
  /** The whole segment, with a header without cursors. */
  readonly bytes: Buffer;
  readonly records: readonly Buffer[];
  /** Where each record ends. */
  readonly ends: readonly number[];
  /** The header that a killed process leaves, by the number of delivered records; no later record was appended. */
  readonly killedHeaders: readonly Buffer[];
  /** The header that a stopped process leaves, by the number of delivered records; all records were appended. */
  readonly closedHeaders: readonly Buffer[];
  /** The spare files of cursors that belong to these headers. */
  readonly closedCursors: readonly Buffer[];
}

function openLog(files: MemoryFiles): Promise<RecordLog> {
  return RecordLog.open({
    directory,
    segmentBytes: 2 * segmentBytes,
    syncEveryMs: 60_000,
    files,
    randomMarker: () => 0x6b8b4567,
    onError: (error) => assert.fail(String(error)),
  });
}

/** A segment of exactly a mebibyte with 64 records of many lengths. */
export async function writeMebibyte(): Promise<WrittenSegment> {
  const sizes = Array.from({ length: recordCount }, (_, i) => 16_000 + 11 * i);
  const rest = segmentBytes - headerBytes - sizes.reduce((sum, size) => sum + frameBytes + size, 0);
  sizes[recordCount - 1]! += rest;
  const records = sizes.map((size, i) => Buffer.alloc(size, `record ${i} `));
  let end = headerBytes;
  const ends = sizes.map((size) => (end += frameBytes + size));
  const files = new MemoryFiles();
  const log = await openLog(files);
  const killedHeaders: Buffer[] = [];
  for (const record of records) {
    log.append(record, 1);
    if (killedHeaders.length === 0) killedHeaders.push(headerOf(files));
    await deliver(log, 1);
    killedHeaders.push(headerOf(files));
  }
  const [name] = files.list();
  const bytes = Buffer.concat([killedHeaders[0]!, bytesOf(files).subarray(headerBytes)]);
  assert.equal(bytes.length, segmentBytes);
  return { name: name!, bytes, records, ends, killedHeaders, ...(await closeOn(records)) };
}

async function closeOn(records: readonly Buffer[]) {
  const files = new MemoryFiles();
  const log = await openLog(files);
  for (const record of records) log.append(record, 1);
  await log.close();
  const closedHeaders = [headerOf(files)];
  const closedCursors = [Buffer.from(files.readFile(cursorsPath))];
  for (const again = await openLog(files); closedHeaders.length < records.length; ) {
    await deliver(again, 1);
    closedHeaders.push(headerOf(files));
    closedCursors.push(Buffer.from(files.readFile(cursorsPath)));
  }
  return { closedHeaders, closedCursors };
}

async function deliver(log: RecordLog, records: number): Promise<void> {
  await log.read({ records, bytes: Infinity, notBeforeMs: 0 }, () => undefined);
  log.confirm();
}

const bytesOf = (files: MemoryFiles) => files.readFile(`${directory}/${files.list()[0]!}`);
const headerOf = (files: MemoryFiles) => Buffer.from(bytesOf(files).subarray(0, headerBytes));

/** What a process finds in a damaged segment. */
interface Findings {
  readonly size: number;
  /** The first two records that it returns, and how many damaged ones it skipped. */
  readonly indexes: readonly number[];
  readonly damaged: number;
  /** How many are left after these two. */
  readonly left: number;
}

/** Opens one segment repeatedly, in one buffer that is damaged and repaired in place. */
export class DamageSeries {
  readonly #segment: WrittenSegment;
  readonly #bytes: Buffer;

  constructor(segment: WrittenSegment) {
    this.#segment = segment;
    this.#bytes = Buffer.from(segment.bytes);
  }

  /** Cuts the segment at `cut` while the record before the cut is being delivered. */
  async checkCut(cut: number): Promise<void> {
    const { ends, closedHeaders, closedCursors } = this.#segment;
    const intact = ends.filter((end) => end <= cut).length;
    const delivered = Math.max(0, intact - 1);
    const expected = expect(delivered, (i) => i < intact);
    closedHeaders[delivered]!.copy(this.#bytes);
    this.#compare(await this.#start(cut, closedCursors[delivered]), expected, `cut at ${cut}`);
  }

  /**
   * Flips the byte at `at` while the record before it is being delivered. For a byte of the header, some records have been delivered and the
   * spare file tells so; for a byte of a record, no cursor tells how many there are.
   */
  async checkFlip(at: number): Promise<void> {
    const { ends, killedHeaders, closedHeaders, closedCursors, bytes } = this.#segment;
    const isInHeader = at < headerBytes;
    const hit = isInHeader ? -1 : ends.findIndex((end) => at < end);
    const delivered = isInHeader ? at % 9 : Math.max(0, hit - 1);
    (isInHeader ? closedHeaders : killedHeaders)[delivered]!.copy(this.#bytes);
    this.#bytes[at]! ^= 0xff;
    const findings = await this.#start(bytes.length, isInHeader ? closedCursors[delivered] : undefined);
    this.#compare(
      findings,
      expect(delivered, (i) => i !== hit),
      `flipped at ${at}`,
    );
    this.#bytes[at] = bytes[at]!;
  }

  async #start(size: number, cursors: Buffer | undefined): Promise<Findings> {
    const { name, records } = this.#segment;
    const files = { [`${directory}/${name}`]: this.#bytes.subarray(0, size) };
    const log = await openLog(
      new MemoryFiles(cursors === undefined ? files : { ...files, [cursorsPath]: Buffer.from(cursors) }),
    );
    const { size: found } = log;
    const limits = { records: 2, bytes: Infinity, notBeforeMs: 0 };
    const { items, damaged } = await log.read(limits, (record) => indexOf(records, record));
    log.confirm();
    const { size: left } = log;
    await log.close();
    return { size: found, indexes: items, damaged, left };
  }

  /** Like `deepEqual`, which would take longer than opening the log. */
  #compare(found: Findings, expected: Findings, where: string): void {
    const isEqual =
      found.size === expected.size &&
      found.damaged === expected.damaged &&
      found.left === expected.left &&
      found.indexes.length === expected.indexes.length &&
      found.indexes.every((index, i) => index === expected.indexes[i]);
    if (!isEqual) assert.deepEqual(found, expected, where);
  }
}

function expect(delivered: number, isIntact: (index: number) => boolean): Findings {
  const indexes: number[] = [];
  let damaged = 0;
  let index = delivered;
  for (; index < recordCount && indexes.length < 2; index++) {
    if (isIntact(index)) indexes.push(index);
    else damaged++;
  }
  return { size: recordCount - delivered, indexes, damaged, left: recordCount - index };
}

/** The index of an identical record, or -1. */
function indexOf(records: readonly Buffer[], record: Buffer): number {
  const index = Number.parseInt(record.toString('latin1', 7, 10), 10);
  return records[index]?.equals(record) === true ? index : -1;
}
