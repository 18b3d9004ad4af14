import { untilAborted } from './until-aborted.ts';

/** How a connection comes and goes. */
export interface ConnectionDriver<Connection> {
  /**
   * Resolves when the other side takes data: connected, authenticated. Must end when the signal aborts, and leave no socket and
   * no timer when it rejects.
   */
  open(signal: AbortSignal): Promise<Connection>;
  /** False once the other side is gone; a connection without it is believed until a use of it fails. */
  isOpen?(connection: Connection): boolean;
  /** Says goodbye to the other side; `destroy` follows when that is over, or after a moment. Must not throw. */
  close?(connection: Connection): Promise<unknown>;
  /** Ends the connection without waiting for anything. Must not throw, also when it is closed already. */
  destroy(connection: Connection): void;
}

/** One that hangs must not hold up anybody for longer. */
const goodbyeMs = 200;

/**
 * One connection, opened when it is first needed and kept. After a failure it is destroyed and the next use opens a new one,
 * so that pauses between attempts are the delivery's alone; a PermanentError says nothing against a connection.
 */
export class KeptConnection<Connection> {
  readonly #driver: ConnectionDriver<Connection>;
  #connection: Connection | undefined;

  constructor(driver: ConnectionDriver<Connection>) {
    this.#driver = driver;
  }

  /** Does `work` with the connection. Rejects with the signal's reason when it aborts, whatever the work still does. */
  async use<Result>(signal: AbortSignal, work: (connection: Connection) => Promise<Result>): Promise<Result> {
    try {
      return await untilAborted(signal, this.#findOpen(signal).then(work));
    } catch (error) {
      if (!(error instanceof Error && error.name === 'PermanentError')) this.#destroy();
      throw error;
    }
  }

  /** Ends it in order; what does not answer is ended all the same. */
  async close(): Promise<void> {
    const connection = this.#connection;
    if (connection === undefined) return;
    this.#connection = undefined;
    await within(goodbyeMs, this.#driver.close?.(connection));
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

/** Resolves when `work` is over, however, and at the latest after `maxMs`. */
async function within(maxMs: number, work: Promise<unknown> | undefined): Promise<void> {
  let timer: NodeJS.Timeout | undefined;
  const late = new Promise<void>((resolve) => {
    timer = setTimeout(resolve, maxMs);
  });
  await Promise.race([work?.catch(() => {}), late]);
  clearTimeout(timer);
}
