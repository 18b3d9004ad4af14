/** How a connection comes and goes. */
export interface ConnectionDriver<Connection> {
  /** Resolves when the other side takes data: connected, authenticated. Should end when the signal aborts. */
  open(signal: AbortSignal): Promise<Connection>;
  /** False once the other side is gone; a connection without it is believed until a use of it fails. */
  isOpen?(connection: Connection): boolean;
  /** Must not throw, and must not wait for the other side. */
  close(connection: Connection): void | Promise<void>;
}

/**
 * One connection, opened when it is first needed and kept. After a failure it is closed and the next use opens a new one,
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
      if (!(error instanceof Error && error.name === 'PermanentError')) await this.close();
      throw error;
    }
  }

  async close(): Promise<void> {
    const connection = this.#connection;
    this.#connection = undefined;
    if (connection !== undefined) await this.#driver.close(connection);
  }

  async #findOpen(signal: AbortSignal): Promise<Connection> {
    const kept = this.#connection;
    if (kept !== undefined && (this.#driver.isOpen?.(kept) ?? true)) return kept;
    await this.close();
    const opened = await this.#driver.open(signal);
    if (signal.aborted) {
      await this.#driver.close(opened);
      throw signal.reason;
    }
    this.#connection = opened;
    return opened;
  }
}

async function untilAborted<Result>(signal: AbortSignal, work: Promise<Result>): Promise<Result> {
  let onAbort = () => {};
  const aborted = new Promise<never>((_, reject) => {
    onAbort = () => reject(signal.reason);
    if (signal.aborted) onAbort();
    else signal.addEventListener('abort', onAbort, { once: true });
  });
  try {
    return await Promise.race([work, aborted]);
  } finally {
    signal.removeEventListener('abort', onAbort);
    work.catch(() => {});
  }
}
