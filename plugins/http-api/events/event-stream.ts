import type { ServerResponse } from 'node:http';

/** A client with more unsent bytes than this is too slow and is disconnected. One event may be larger. */
const maxBufferedBytes = 1 << 20;
const heartbeatMs = 15_000;
const heartbeat = Buffer.from(':\n\n');

export const streamHeaders = { 'content-type': 'text/event-stream', 'cache-control': 'no-store' } as const;

/** One client's server-sent events. Disconnects a client that does not read, or that is no longer allowed to. */
export class EventStream {
  readonly #output: ServerResponse;
  readonly #onCut: () => void;
  readonly #heartbeat: NodeJS.Timeout;

  /** `isAllowed` is checked at each heartbeat, so that a removed token also ends open streams. */
  constructor(output: ServerResponse, onCut: () => void, isAllowed: () => boolean) {
    this.#output = output;
    this.#onCut = onCut;
    this.#heartbeat = setInterval(() => {
      if (isAllowed()) this.write(heartbeat);
      else this.close();
    }, heartbeatMs);
    output.on('close', () => this.close());
    // Without chunked encoding, one write sends bytes that all clients share.
    output.removeHeader('transfer-encoding');
    output.writeHead(200, { ...streamHeaders, connection: 'close' });
    this.write(Buffer.from('retry: 2000\n\n'));
  }

  /** `frames` contains complete events. */
  write(frames: Buffer): void {
    if (this.#output.destroyed || this.#output.writableEnded) return;
    if (this.#output.writableLength <= maxBufferedBytes) {
      this.#output.write(frames);
      return;
    }
    this.#onCut();
    this.#output.destroy();
  }

  close(): void {
    clearInterval(this.#heartbeat);
    if (!this.#output.destroyed) this.#output.end();
  }
}
