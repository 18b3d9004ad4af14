import { untilAborted } from '../timing/until-aborted.ts';

/** How a `KeptConnection` opens, checks and ends a connection. */
export interface ConnectionDriver<Connection> {
  /**
   * Resolves when the server accepts data: connected and authenticated. Must reject when the signal aborts, and must leave no
   * socket and no timer behind when it rejects.
   */
  open(signal: AbortSignal): Promise<Connection>;
  /** False once the connection is closed. Without it, a connection counts as open until a use of it fails. */
  isOpen?(connection: Connection): boolean;
  /** Closes the connection in the way of its protocol. `destroy` follows, after at most 200 ms. Must not throw. */
  close?(connection: Connection): Promise<unknown>;
  /** Ends the connection without waiting. Must not throw, even when the connection is closed already. */
  destroy(connection: Connection): void;
}

/** How long an orderly close may delay the stop of the collector. */
const closeTimeoutMs = 200;

/**
 * One connection, opened at its first use and kept open. A failed use destroys it, and the next use opens a new one: only the
 * delivery decides when to retry. A PermanentError is about the data and leaves the connection open.
 */
export class KeptConnection<Connection> {
  readonly #driver: ConnectionDriver<Connection>;
  #connection: Connection | undefined;

  constructor(driver: ConnectionDriver<Connection>) {
    this.#driver = driver;
  }

  /** Runs `work` with the connection. Rejects with the reason of the signal as soon as it aborts, even if the work goes on. */
  async use<Result>(signal: AbortSignal, work: (connection: Connection) => Promise<Result>): Promise<Result> {
    try {
      return await untilAborted(signal, this.#findOpen(signal).then(work));
    } catch (error) {
      if (!(error instanceof Error && error.name === 'PermanentError')) this.#destroy();
      throw error;
    }
  }

  /** Closes the connection, in the way of its protocol if the server answers in time. */
  async close(): Promise<void> {
    const connection = this.#connection;
    if (connection === undefined) return;
    this.#connection = undefined;
    await within(closeTimeoutMs, this.#driver.close?.(connection));
    this.#driver.destroy(connection);
  }

  #destroy(): void {
    const connection = this.#connection;
    this.#connection = undefined;
    if (connection !== undefined) this.#driver.destroy(connection);
  }

  async #findOpen(signal: AbortSignal): Promise<Connection> {
    const kept = this.#connection;
    if (kept !== undefined && (this.#driver.isOpen?.(kept) ?? true)) return kept;
    this.#destroy();
    signal.throwIfAborted();
    const opened = await this.#driver.open(signal);
    if (signal.aborted) {
      this.#driver.destroy(opened);
      throw signal.reason;
    }
    this.#connection = opened;
    return opened;
  }
}

/** Resolves when `work` has resolved or rejected, and at the latest after `maxMs`. */
async function within(maxMs: number, work: Promise<unknown> | undefined): Promise<void> {
  let timer: NodeJS.Timeout | undefined;
  const late = new Promise<void>((resolve) => {
    timer = setTimeout(resolve, maxMs);
  });
  await Promise.race([work?.catch(() => {}), late]);
  clearTimeout(timer);
}
