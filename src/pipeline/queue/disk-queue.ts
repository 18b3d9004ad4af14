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
import { QueuedNotices } from './queued-notices.ts';
import { RecentBatches } from './recent-batches.ts';

export interface DiskQueueSettings {
  /** The queue's own; nobody else may write there. */
  readonly directory: string;
  readonly maxBytes: number;
  /** Batches that have waited longer are dropped; 0 for never. */
  readonly maxAgeMs: number;
  /** With `pause`, sources are asked to wait before it is full; what comes all the same is dropped when it is. */
  readonly whenFull: 'drop_oldest' | 'drop_newest' | 'pause';
  readonly syncEveryMs: number;
}

export interface DiskQueueParts {
  readonly onError: (error: unknown) => void;
  /** Its own without one. */
  readonly encoder?: BatchEncoder;
  /** Wall clock, milliseconds since 1970. */
  readonly now?: () => number;
  readonly files?: FileSystem;
}

/** Bytes of one group at most, as they are on the disk: what is in memory is a small multiple of that. */
const groupBytes = 4 << 20;
const maxSegmentBytes = 16 << 20;
/** A queue that grows has several segments from here on, so that there is an oldest one to give way. */
const leastSegmentBytes = 1 << 20;
const ageCheckMs = 1_000;
/** After so long a pause something must be put, to see whether the disk has room again. */
const tryAgainMs = 5_000;

/** A queue that the process, and the next one, reads back from the disk. Whatever was put is in the kernel's hands. */
export class DiskQueue implements OutputQueue {
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

  /** Finds what an earlier process left. Throws when the directory cannot be used. */
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

  /** Asks for a pause while an eighth is left, for what is on its way, and for a while after the disk took nothing. */
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
    if (this.#append(record, nowMs)) this.#remember(batch, nowMs);
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

  /** Says what the log has just dropped at its old end. */
  #tellDropped(batches: number, why: DropReason): void {
    this.#onDropped(batches, why, this.#notices.forgetBefore(this.#log.resume));
  }

  #dropOld(nowMs: number): void {
    const { maxAgeMs } = this.#settings;
    if (maxAgeMs === 0 || nowMs < this.#checkAgeMs) return;
    this.#checkAgeMs = nowMs + ageCheckMs;
    this.#tellDropped(this.#log.dropOlder(nowMs - maxAgeMs), 'too_old');
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

  /** Whether the disk took it. With `drop_oldest` a full disk gets room from the oldest segments. */
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
        this.#tellDropped(dropped, 'disk_full');
      }
    }
  }
}

function countNotices(batches: readonly Batch[]): number {
  return batches.filter(isDropNotice).length;
}
