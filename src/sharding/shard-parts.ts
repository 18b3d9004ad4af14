import { createHash } from 'node:crypto';
import { promisify } from 'node:util';
import { gunzipSync, gzip } from 'node:zlib';
import type { Coordinator, SavedShard } from './coordinator.ts';
import type { ShardPart } from './shards.ts';

const compress = promisify(gzip);

/** The parts of the collector that work for shards, as one. A part that fails does not hold up the others. */
export class ShardParts {
  readonly #parts: ShardPart[] = [];
  readonly #onProblem: (error: unknown) => void;
  /** By shard: what was saved last, so that only changes are written. */
  readonly #saved = new Map<number, string>();
  /** By shard: the epoch of our last claim before the current one. */
  readonly #earlier = new Map<number, number>();
  /** Shards of which this process has kept nothing. */
  readonly #forgotten = new Set<number>();

  constructor(onProblem: (error: unknown) => void) {
    this.#onProblem = onProblem;
  }

  add(part: ShardPart): () => void {
    this.#parts.push(part);
    return () => {
      this.#parts.splice(this.#parts.indexOf(part), 1);
    };
  }

  noteClaim(shard: number, earlierEpoch: number): void {
    this.#earlier.set(shard, earlierEpoch);
    this.#saved.delete(shard);
  }

  gain(shards: ReadonlySet<number>, isAgain: boolean): void {
    for (const part of this.#parts) this.#try(() => part.gain?.(shards, isAgain));
  }

  /** Resolves when no part has anything under way. Never rejects. */
  async lose(shards: ReadonlySet<number>, ownedUntilMs?: number): Promise<void> {
    for (const part of this.#parts.toReversed()) {
      try {
        await part.lose?.(shards, ownedUntilMs);
      } catch (error) {
        this.#onProblem(error);
      }
    }
  }

  forget(shards: ReadonlySet<number>): void {
    for (const shard of shards) {
      this.#saved.delete(shard);
      this.#forgotten.add(shard);
    }
    for (const part of this.#parts.toReversed()) this.#try(() => part.forget?.(shards));
  }

  /**
   * What this process has kept is newer than a state that it wrote itself. `lastEnded` is the epoch of the claim that ended before ours, if
   * that was seen.
   */
  restore(shard: number, saved: SavedShard | undefined, lastEnded: number | undefined): void {
    const hasKept = !this.#forgotten.delete(shard) && saved?.epoch === this.#earlier.get(shard);
    if (saved === undefined || hasKept) return;
    this.#try(() => {
      const states = JSON.parse(gunzipSync(saved.state, { maxOutputLength: maxStateBytes }).toString('utf8'));
      for (const part of this.#parts) {
        const state = states[part.name];
        if (state !== undefined) this.#try(() => part.restore?.(shard, state, saved.epoch === lastEnded));
      }
    });
  }

  /** Keeps the state of a shard for its next owner, unless nothing changed since it was kept last. Never rejects. */
  async save(shard: number, epoch: number, coordinator: Pick<Coordinator, 'saveState'>): Promise<void> {
    try {
      const text = JSON.stringify(this.#collect(shard));
      const digest = createHash('sha256').update(text).digest('base64');
      if (digest === (this.#saved.get(shard) ?? emptyDigest)) return;
      if (await coordinator.saveState(shard, epoch, await compress(text))) this.#saved.set(shard, digest);
    } catch (error) {
      this.#onProblem(error);
    }
  }

  #collect(shard: number): Record<string, unknown> {
    const states: Record<string, unknown> = {};
    for (const part of this.#parts) {
      this.#try(() => {
        const state = part.collect?.(shard);
        if (state !== undefined && Object.keys(state).length > 0) states[part.name] = state;
      });
    }
    return states;
  }

  #try(run: () => void): void {
    try {
      run();
    } catch (error) {
      this.#onProblem(error);
    }
  }
}

const maxStateBytes = 256 << 20;
/** Of a shard without devices: it needs no state. */
const emptyDigest = createHash('sha256').update('{}').digest('base64');
