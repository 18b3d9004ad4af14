import { randomInt } from 'node:crypto';
import { type Batch, type BatchEncoder, BatchFault, PermanentError } from '../../../src/index.ts';
import { runInSlices } from '../../../src/output-kit/index.ts';
import { type FileSystem, nodeFileSystem, RecordLog } from '../../../src/storage/index.ts';

export interface ArchiveSettings {
  readonly directory: string;
  /** When a new file begins. 0 means at no age. */
  readonly rotation: { readonly maxBytes: number; readonly maxAgeMs: number };
  /** Which files are kept. 0 means no limit. */
  readonly keep: { readonly maxBytes: number; readonly maxAgeMs: number };
}

export interface ArchiveParts {
  readonly encoder: BatchEncoder;
  readonly onError: (error: unknown) => void;
  /** Wall clock, milliseconds since 1970. */
  readonly now: () => number;
  readonly files?: FileSystem;
}

const syncEveryMs = 200;
/** The limit for all files is kept by removing whole files, so at least this many share it. */
const minFiles = 4;

/** Files of batches, in the format of a disk queue that is never emptied. */
export class BatchArchive {
  readonly #log: RecordLog;
  readonly #settings: ArchiveSettings;
  readonly #parts: ArchiveParts;
  readonly #failures: unknown[];
  readonly #end = new AbortController();
  #group: readonly Batch[] | undefined;
  /** How many batches of the group are written, and which of them are too large. */
  #written = 0;
  #tooLarge: Batch[] = [];
  #running: Promise<void> | undefined;

  private constructor(log: RecordLog, settings: ArchiveSettings, parts: ArchiveParts, failures: unknown[]) {
    this.#log = log;
    this.#settings = settings;
    this.#parts = parts;
    this.#failures = failures;
  }

  /** Throws when the directory cannot be used. */
  static async open(settings: ArchiveSettings, parts: ArchiveParts): Promise<BatchArchive> {
    const { directory, rotation, keep } = settings;
    const failures: unknown[] = [];
    const share = keep.maxBytes === 0 ? Infinity : Math.floor(keep.maxBytes / minFiles);
    const log = await RecordLog.open({
      directory,
      segmentBytes: Math.min(rotation.maxBytes, share),
      segmentAgeMs: rotation.maxAgeMs || Infinity,
      syncEveryMs,
      files: parts.files ?? nodeFileSystem,
      randomMarker: () => randomInt(1, 2 ** 32),
      onError(error) {
        failures.push(error);
        parts.onError(error);
      },
    });
    return new BatchArchive(log, settings, parts, failures);
  }

  /**
   * Resolves when the group is on the disk. A repeated group continues where it stopped, so that no batch is written twice. If an abandoned
   * attempt is still running, this one joins it.
   */
  write(batches: readonly Batch[]): Promise<void> {
    if (this.#group !== batches) {
      this.#group = batches;
      this.#written = 0;
      this.#tooLarge = [];
    }
    this.#running ??= this.#run(batches).finally(() => {
      this.#running = undefined;
    });
    return this.#running;
  }

  async close(): Promise<void> {
    this.#end.abort();
    await this.#running?.catch(() => {});
    await this.#log.close();
  }

  async #run(batches: readonly Batch[]): Promise<void> {
    this.#failures.length = 0;
    const append = (batch: Batch) => {
      this.#append(batch);
      this.#written++;
    };
    await runInSlices(batches.slice(this.#written), append, this.#end.signal);
    await this.#log.sync();
    const [failure] = this.#failures;
    if (failure !== undefined) throw failure;
    this.#removeOld();
    if (this.#tooLarge.length > 0)
      throw new PermanentError('Batches are too large for the binary format.', { refused: this.#tooLarge });
  }

  #append(batch: Batch): void {
    const { encoder, now } = this.#parts;
    try {
      this.#log.append(encoder.encode(batch), now());
    } catch (error) {
      if (!(error instanceof BatchFault)) throw error;
      this.#tooLarge.push(batch);
    }
  }

  #removeOld(): void {
    const { maxBytes, maxAgeMs } = this.#settings.keep;
    if (maxAgeMs > 0) this.#log.dropOlder(this.#parts.now() - maxAgeMs);
    while (maxBytes > 0 && this.#log.bytes > maxBytes && this.#log.dropOldest() > 0);
  }
}
