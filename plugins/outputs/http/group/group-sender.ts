import { type Batch, explainError, type OutputWriter, PermanentError } from '../../../../src/index.ts';
import { Refusal } from '../poster/refusal.ts';
import { countValues, divideGroup, type GroupEntry, halve, type RequestPart } from './request-part.ts';

export interface EncodedPart {
  readonly body: Uint8Array;
  /** Bytes before compression. */
  readonly plainBytes: number;
}

export interface GroupSenderSettings<B extends Batch, E extends EncodedPart> {
  readonly maxValues: number;
  readonly maxBytes: number;
  /** Called once for each group: what is to be sent for it, in order. */
  prepare(group: readonly Batch[]): readonly GroupEntry<B>[];
  /** Undefined when these batches have nothing that the format could say. Called again for each half of a refused part. */
  encode(batches: readonly B[]): E | undefined;
  /**
   * Resolves when the other side has taken it. Throws a `Refusal` for never, a PermanentError that names batches, or counts values,
   * when all others of the part were taken, and another error for later.
   */
  send(part: E, batches: readonly B[], signal: AbortSignal): Promise<void>;
}

/** What may be wrong with a few of the batches, or with how many they are. */
const divisible = new Set([400, 413, 422]);
/** Enough to find a handful of bad rows in a large group, and few enough when nothing at all is taken. */
const maxDivisions = 40;
/** How much of the largest request the next ones are meant to fill, as rows are not all of the same length. */
const filledPart = 0.9;

/**
 * Sends groups in requests of bounded size, in order. After a failure that may pass it goes on with the request that failed,
 * byte by byte the same. A refused request is sent in halves, so that what is wrong with one row costs only that row.
 */
export class GroupSender<B extends Batch = Batch, E extends EncodedPart = EncodedPart> {
  readonly #settings: GroupSenderSettings<B, E>;
  #group: readonly Batch[] | undefined;
  /** What is left of the group, the next part last. */
  #parts: RequestPart<B>[] = [];
  #encoded: E | undefined;
  #refused = new Set<Batch>();
  #refusedValues = 0;
  #why = '';
  #divisions = 0;
  /** Of what was encoded last, so that the next group is cut to fit before it is encoded. */
  #bytesAValue = 0;
  #running: Promise<void> = Promise.resolve();

  constructor(settings: GroupSenderSettings<B, E>) {
    this.#settings = settings;
  }

  readonly write: OutputWriter['write'] = (group, { signal }) => {
    const run = async () => {
      if (this.#group === undefined || !isSameGroup(group, this.#group)) this.#begin(group);
      await this.#sendAll(signal);
    };
    // An attempt that was abandoned ends by its signal; the next one must not meet it half way.
    this.#running = this.#running.then(run, run);
    return this.#running;
  };

  #begin(group: readonly Batch[]): void {
    const { prepare, maxValues, maxBytes } = this.#settings;
    const fitting = Math.max(1, Math.floor((filledPart * maxBytes) / this.#bytesAValue));
    this.#parts = divideGroup(prepare(group), Math.min(maxValues, fitting)).reverse();
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
      this.#bytesAValue = this.#encoded.plainBytes / Math.max(1, countValues(part));
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

/** A queue may hand out the same batches in another list, or read them anew. */
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
