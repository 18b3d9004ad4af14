import { explainError } from '../../kernel/errors.ts';
import type { Batch } from '../../model/batch.ts';
import type { OutputWriter } from '../../pipeline/output-writer.ts';
import { PermanentError } from '../../pipeline/permanent-error.ts';
import { Refusal } from './poster-answer.ts';
import { countValues, divideGroup, type GroupEntry, halve, type RequestPart } from './request-part.ts';

/** One request, encoded. */
export interface EncodedPart {
  readonly body: Uint8Array;
  /** Size before compression, which `maxBytes` limits. */
  readonly plainBytes: number;
}

export interface GroupSenderSettings<B extends Batch, E extends EncodedPart> {
  readonly maxValues: number;
  readonly maxBytes: number;
  /** Called once per group: returns what to send for it, in order. Needed when B is more than a Batch; by default, the batches of the group. */
  prepare?(group: readonly Batch[]): readonly GroupEntry<B>[];
  /** Returns undefined when the format has nothing to say for these batches. Called again for each half of a refused part. */
  encode(batches: readonly B[]): E | undefined;
  /**
   * Resolves when the server has accepted the part. Throws a `Refusal` when the server will never accept it, a PermanentError that names
   * batches or counts values when it accepted all others, and any other error when a retry may succeed.
   */
  send(part: E, batches: readonly B[], signal: AbortSignal): Promise<void>;
}

/** Statuses that may be about a few of the batches, or about their number. */
const divisible = new Set([400, 413, 422]);
/** Enough to find a handful of bad rows in a large group, and few enough when the server accepts nothing at all. */
const maxDivisions = 40;
/** The part of `maxBytes` that the next requests should fill: rows differ in length. */
const targetFill = 0.9;

/**
 * Sends a group of batches as requests of limited size, in order. After a failure, the retry continues with the request that failed, byte
 * for byte the same. A refused request is sent again in halves, so that one bad row costs only that row. Use its `write` as that of the
 * output.
 */
export class GroupSender<B extends Batch = Batch, E extends EncodedPart = EncodedPart> {
  readonly #settings: GroupSenderSettings<B, E>;
  #group: readonly Batch[] | undefined;
  /** The parts of the group that are not sent yet, the next one last. */
  #parts: RequestPart<B>[] = [];
  #encoded: E | undefined;
  #refused = new Set<Batch>();
  #refusedValues = 0;
  #why = '';
  #divisions = 0;
  /** Measured on the last encoded part, so that the next group is cut to fit before it is encoded. */
  #bytesPerValue = 0;
  #running: Promise<void> = Promise.resolve();

  constructor(settings: GroupSenderSettings<B, E>) {
    this.#settings = settings;
  }

  readonly write: OutputWriter['write'] = (group, { signal }) => {
    const run = async () => {
      if (this.#group === undefined || !isSameGroup(group, this.#group)) this.#begin(group);
      await this.#sendAll(signal);
    };
    // An abandoned attempt ends by its signal. The next one must not start before it has ended.
    this.#running = this.#running.then(run, run);
    return this.#running;
  };

  #begin(group: readonly Batch[]): void {
    const { prepare = asEntries, maxValues, maxBytes } = this.#settings;
    const fitting = Math.max(1, Math.floor((targetFill * maxBytes) / this.#bytesPerValue));
    this.#parts = divideGroup<B>(prepare(group) as GroupEntry<B>[], Math.min(maxValues, fitting)).reverse();
    this.#group = group;
    this.#encoded = undefined;
    this.#refused = new Set();
    this.#refusedValues = 0;
    this.#divisions = 0;
  }

  async #sendAll(signal: AbortSignal): Promise<void> {
    for (let part = this.#parts.at(-1); part !== undefined; part = this.#parts.at(-1)) {
      signal.throwIfAborted();
      await this.#sendNext(part, signal);
    }
    this.#group = undefined;
    if (this.#refused.size === 0 && this.#refusedValues === 0) return;
    throw new PermanentError(this.#why, {
      refused: [...this.#refused],
      refusedValues: this.#refusedValues,
    });
  }

  async #sendNext(part: RequestPart<B>, signal: AbortSignal): Promise<void> {
    const { encode, send, maxBytes } = this.#settings;
    const batches = part.map(({ batch }) => batch);
    this.#encoded ??= encode(batches);
    if (this.#encoded !== undefined) {
      this.#bytesPerValue = this.#encoded.plainBytes / Math.max(1, countValues(part));
      if (this.#encoded.plainBytes > maxBytes && this.#divide(part)) return;
      try {
        await send(this.#encoded, batches, signal);
      } catch (error) {
        if (!(error instanceof Error && error.name === 'PermanentError')) throw error;
        const mayDivide = error instanceof Refusal && divisible.has(error.status);
        if (mayDivide && this.#divisions++ < maxDivisions && this.#divide(part)) return;
        const { refused = batches, refusedValues } = error as PermanentError;
        this.#refusedValues += refusedValues;
        for (const { batch, origin } of part) {
          if (origin !== undefined && refused.includes(batch)) this.#refused.add(origin);
        }
        this.#why = explainError(error);
      }
    }
    this.#encoded = undefined;
    this.#parts.pop();
  }

  #divide(part: RequestPart<B>): boolean {
    const halves = halve(part);
    if (halves === undefined) return false;
    this.#parts.splice(-1, 1, halves[1], halves[0]);
    this.#encoded = undefined;
    return true;
  }
}

function asEntries(group: readonly Batch[]): GroupEntry[] {
  return group.map((batch) => ({ batch, origin: batch }));
}

/** A queue may return the same batches in another list, or read them again from the disk. */
function isSameGroup(group: readonly Batch[], before: readonly Batch[]): boolean {
  return group.length === before.length && group.every((batch, i) => isSameBatch(batch, before[i]!));
}

function isSameBatch(a: Batch, b: Batch): boolean {
  if (a === b) return true;
  return (
    a.sequence === b.sequence &&
    a.slotMs === b.slotMs &&
    a.plan === b.plan &&
    a.record === b.record &&
    a.device.ip === b.device.ip &&
    a.device.port === b.device.port
  );
}
