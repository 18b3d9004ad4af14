import { randomInt } from 'node:crypto';
import type { Batch } from '../../model/batch.ts';
import { BatchDecoder } from '../../model/batch-form/batch-decoder.ts';
import { BatchEncoder } from '../../model/batch-form/batch-encoder.ts';
import { isDiskFull } from '../../storage/disk-failure.ts';
import { type FileSystem, nodeFileSystem } from '../../storage/file-system.ts';
import type { ReadLimits } from '../../storage/segments/log-reader.ts';
import { RecordLog } from '../../storage/segments/record-log.ts';
import { type DropReason, isDropNotice } from './drop-report.ts';
import type { OnDropped, OutputQueue } from './output-queue.ts';
import { RecentBatches } from './recent-batches.ts';

export interface DiskQueueSettings {
  /** Only this queue may write there. */
  readonly directory: string;
  readonly maxBytes: number;
  /** Batches that have waited longer are dropped. 0 means never. */
  readonly maxAgeMs: number;
  /** With `pause`, sources are asked to wait before the queue is full. Batches that come when it is full are dropped. */
  readonly whenFull: 'drop_oldest' | 'drop_newest' | 'pause';
  readonly syncEveryMs: number;
}

export interface DiskQueueParts {
  readonly onError: (error: unknown) => void;
  /** By default the queue has its own. */
  readonly encoder?: BatchEncoder;
  /** Wall clock, milliseconds since 1970. */
  readonly now?: () => number;
  readonly files?: FileSystem;
}

/** Maximum size of a group on the disk. In memory it takes a small multiple of that. */
const groupBytes = 4 << 20;
const maxSegmentBytes = 16 << 20;
/** A growing queue has several segments from this size on, so that its oldest one can be dropped. */
const leastSegmentBytes = 1 << 20;
const ageCheckMs = 1_000;
/** After this pause the queue accepts a batch, to find out whether the disk has room again. */
const tryAgainMs = 5_000;

/** A queue on the disk that this process or the next one reads back. Every batch is written to the operating system immediately. */
export class DiskQueue implements OutputQueue {
  hasLast = false;
  readonly #settings: DiskQueueSettings;
  readonly #log: RecordLog;
  readonly #now: () => number;
  readonly #onError: (error: unknown) => void;
  readonly #encoder: BatchEncoder;
  readonly #decoder = new BatchDecoder();
  readonly #recent = new RecentBatches();
  readonly #notices = new QueuedNotices();
  #onDropped: OnDropped = () => {};
  #underDelivery: readonly Batch[] = [];
  #checkAgeMs = 0;
  #isFailing = false;
  #failedMs = -Infinity;

  private constructor(log: RecordLog, settings: DiskQueueSettings, parts: DiskQueueParts) {
    this.#log = log;
    this.#settings = settings;
    this.#now = parts.now ?? Date.now;
    this.#onError = parts.onError;
    this.#encoder = parts.encoder ?? new BatchEncoder();
  }

  /** Opens the queue that an earlier process left, or a new one. Throws when the directory cannot be used. */
  static async open(settings: DiskQueueSettings, parts: DiskQueueParts): Promise<DiskQueue> {
    const log = await RecordLog.open({
      directory: settings.directory,
      segmentBytes: Math.min(maxSegmentBytes, Math.floor(settings.maxBytes / 16)),
      leastSegmentBytes,
      syncEveryMs: settings.syncEveryMs,
      files: parts.files ?? nodeFileSystem,
      randomMarker: () => randomInt(1, 2 ** 32),
      onError: parts.onError,
    });
    return new DiskQueue(log, settings, parts);
  }

  get keptIn(): string {
    return this.#settings.directory;
  }

  get size(): number {
    return this.#log.size;
  }

  get bytes(): number {
    return this.#log.bytes;
  }

  /** True while less than an eighth of the space is left, which is for polls in flight, and for a while after a failed write. */
  get isPausing(): boolean {
    const { whenFull, maxBytes } = this.#settings;
    if (whenFull !== 'pause') return false;
    return this.#log.bytes > maxBytes - maxBytes / 8 || this.#now() < this.#failedMs + tryAgainMs;
  }

  get oldestMs(): number | undefined {
    return this.#log.oldestMs;
  }

  watchDrops(onDropped: OnDropped): void {
    this.#onDropped = onDropped;
  }

  put(batch: Batch): number {
    const nowMs = this.#now();
    this.hasLast = false;
    this.#dropOld(nowMs);
    let record: Buffer;
    try {
      record = this.#encoder.encode(batch);
    } catch (error) {
      this.#onError(error);
      this.#onDropped(1, 'too_large', countNotices([batch]));
      return 0;
    }
    const dropped = this.#makeRoom(record.length);
    if (this.#log.bytes + record.length > this.#settings.maxBytes) return dropped + 1;
    this.hasLast = this.#append(record, nowMs);
    if (this.hasLast) this.#remember(batch, nowMs);
    else this.#onDropped(1, 'disk_full', countNotices([batch]));
    return dropped;
  }

  async peek(max: number): Promise<readonly Batch[]> {
    if (this.#underDelivery.length > 0) return this.#underDelivery;
    const nowMs = this.#now();
    const { maxAgeMs } = this.#settings;
    const notBeforeMs = maxAgeMs === 0 ? 0 : nowMs - maxAgeMs;
    const oldestMs = this.#log.oldestMs ?? nowMs;
    const recent = oldestMs < notBeforeMs ? [] : this.#recent.take(this.#log.resume, max);
    const last = recent.at(-1);
    if (last !== undefined) {
      this.#log.take(recent.length, oldestMs, last.timeMs);
      this.#notices.forgetBefore(this.#log.resume);
      this.#underDelivery = recent.map(({ batch }) => batch);
      return this.#underDelivery;
    }
    const limits = { records: max, bytes: groupBytes, notBeforeMs };
    const { items, damaged, expired } = await this.#read(limits);
    const notices = this.#notices.forgetBefore(this.#log.resume) - countNotices(items);
    const expiredNotices = Math.min(expired, Math.max(0, notices));
    this.#onDropped(damaged, 'damaged', Math.max(0, notices - expiredNotices));
    this.#onDropped(expired, 'too_old', expiredNotices);
    this.#underDelivery = items;
    return items;
  }

  sync(): Promise<boolean> {
    return this.#log.sync();
  }

  confirm(): void {
    this.#underDelivery = [];
    this.#log.confirm();
  }

  async close(): Promise<number> {
    await this.#log.close();
    return 0;
  }

  async #read(limits: ReadLimits) {
    try {
      return await this.#log.read(limits, (record) => this.#decoder.decode(record));
    } catch (error) {
      this.#onError(error);
      throw error;
    }
  }

  #remember(batch: Batch, nowMs: number): void {
    const number = this.#log.next - 1;
    this.#recent.add(number, batch, nowMs);
    if (isDropNotice(batch)) this.#notices.add(number);
  }

  /** Reports the oldest records that the log has just dropped. */
  #reportDropped(batches: number, why: DropReason): void {
    this.#onDropped(batches, why, this.#notices.forgetBefore(this.#log.resume));
  }

  #dropOld(nowMs: number): void {
    const { maxAgeMs } = this.#settings;
    if (maxAgeMs === 0 || nowMs < this.#checkAgeMs) return;
    this.#checkAgeMs = nowMs + ageCheckMs;
    this.#reportDropped(this.#log.dropOlder(nowMs - maxAgeMs), 'too_old');
  }

  #makeRoom(size: number): number {
    let dropped = 0;
    while (this.#settings.whenFull === 'drop_oldest' && this.#log.bytes + size > this.#settings.maxBytes) {
      const count = this.#log.dropOldest();
      if (count === 0) break;
      dropped += count;
    }
    this.#notices.forgetBefore(this.#log.resume);
    return dropped;
  }

  /** Returns whether the record was written. With `drop_oldest`, a full disk gets room by dropping the oldest segments. */
  #append(record: Buffer, nowMs: number): boolean {
    for (;;) {
      try {
        this.#log.append(record, nowMs);
        this.#isFailing = false;
        this.#failedMs = -Infinity;
        return true;
      } catch (error) {
        if (!this.#isFailing) this.#onError(error);
        this.#isFailing = true;
        this.#failedMs = nowMs;
        const makesRoom = this.#settings.whenFull === 'drop_oldest' && isDiskFull(error);
        const dropped = makesRoom ? this.#log.dropOldest() : 0;
        if (dropped === 0) return false;
        this.#reportDropped(dropped, 'disk_full');
      }
    }
  }
}

function countNotices(batches: readonly Batch[]): number {
  return batches.filter(isDropNotice).length;
}

/**
 * The numbers of the waiting records that are notices of drops. Notices that an earlier process left count as ordinary batches: the loss of
 * one makes one more notice, and not an endless chain.
 */
class QueuedNotices {
  /** Ascending. */
  #numbers: number[] = [];

  add(number: number): void {
    this.#numbers.push(number);
  }

  /** Forgets those before `number` and returns how many they were. */
  forgetBefore(number: number): number {
    const first = this.#numbers.findIndex((each) => each >= number);
    return this.#numbers.splice(0, first === -1 ? Number.POSITIVE_INFINITY : first).length;
  }
}
