import type { ServerResponse } from 'node:http';

/** Unsent bytes with which a client is too slow to get more. One event may be larger than this. */
const maxBufferedBytes = 1 << 20;
const heartbeatMs = 15_000;
const heartbeat = Buffer.from(':\n\n');

export const streamHeaders = { 'content-type': 'text/event-stream', 'cache-control': 'no-store' } as const;

/** One client's events, as server-sent events write them. A client that does not read, or may not any more, is cut. */
export class EventStream {
  readonly #output: ServerResponse;
  readonly #onCut: () => void;
  readonly #heartbeat: NodeJS.Timeout;

  /** `isAllowed` is asked now and then: a token that was taken away opens nothing, and keeps nothing open either. */
  constructor(output: ServerResponse, onCut: () => void, isAllowed: () => boolean) {
    this.#output = output;
    this.#onCut = onCut;
    this.#heartbeat = setInterval(() => {
      if (isAllowed()) this.write(heartbeat);
      else this.close();
    }, heartbeatMs);
    output.on('close', () => this.close());
    // Without chunks a group of events is one write of bytes that all clients share.
    output.removeHeader('transfer-encoding');
    output.writeHead(200, { ...streamHeaders, connection: 'close' });
    this.write(Buffer.from('retry: 2000\n\n'));
  }

  /** `frames` are whole events. */
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
