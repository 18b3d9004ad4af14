import type { Oid } from '../../../src/index.ts';
import type {
  BulkRequest,
  RequestOptions,
  SnmpSession,
  SnmpWalk,
  Varbind,
  WalkOptions,
} from '../../../src/snmp/index.ts';
import { untilAborted } from '../../../src/timing/index.ts';
import type { QueuedRun } from './queued-run.ts';

/**
 * The session of a discovery whose packets keep a pace. Each request waits for its turn. What it sends beside that is counted afterwards:
 * parts of long requests, retries, and what a walk asks ahead.
 */
export class PacedSession implements SnmpSession {
  readonly #session: SnmpSession;
  readonly #run: Pick<QueuedRun, 'pace' | 'abort'>;
  /** Packets that the pace knows of. Some turns send nothing: a walk may have its next reply already. */
  #counted = 0;

  /** Without a pace, because a user waits for the run meanwhile, it sends at once. */
  constructor(session: SnmpSession, run: Pick<QueuedRun, 'pace' | 'abort'>) {
    this.#session = session;
    this.#run = run;
  }

  get name(): string {
    return this.#session.name;
  }

  get sent(): number | undefined {
    return this.#session.sent;
  }

  get(oids: readonly Oid[], options?: RequestOptions): Promise<Varbind[]> {
    return this.#inTurn(() => this.#session.get(oids, options));
  }

  getNext(oids: readonly Oid[], options?: RequestOptions): Promise<Varbind[]> {
    return this.#inTurn(() => this.#session.getNext(oids, options));
  }

  getBulk(oids: readonly Oid[], bulk?: BulkRequest & RequestOptions): Promise<Varbind[]> {
    return this.#inTurn(() => this.#session.getBulk(oids, bulk));
  }

  walk(roots: Oid | readonly Oid[], options?: WalkOptions): SnmpWalk {
    const walk = this.#session.walk(roots, options);
    const replies = walk[Symbol.asyncIterator]();
    return {
      get outcome() {
        return walk.outcome;
      },
      [Symbol.asyncIterator]: () => ({
        next: () => this.#inTurn(() => replies.next()),
        return: async () => (await replies.return?.()) ?? { value: undefined, done: true },
      }),
    };
  }

  silentUntil(column: Oid): number | undefined {
    return this.#session.silentUntil(column);
  }

  learnSilence(column: Oid, untilMs?: number): void {
    this.#session.learnSilence(column, untilMs);
  }

  close(): void {
    this.#session.close();
    const { sent } = this;
    if (sent === undefined) return;
    this.#run.pace?.charge(sent - this.#counted);
    this.#counted = sent;
  }

  async #inTurn<Result>(ask: () => Promise<Result>): Promise<Result> {
    const { pace, abort } = this.#run;
    if (pace !== undefined && this.#counted <= (this.sent ?? this.#counted)) {
      await untilAborted(abort.signal, pace.take());
      this.#counted++;
    }
    try {
      return await ask();
    } finally {
      const rest = (this.sent ?? 0) - this.#counted;
      if (rest > 0) {
        this.#counted += rest;
        this.#run.pace?.charge(rest);
      }
    }
  }
}
