import type { Writable } from 'node:stream';
import type { SentEvent } from './event-journal.ts';

/** Unsent bytes with which a client is too slow to get more. One event may be larger than this. */
const maxBufferedBytes = 1 << 20;
const heartbeatMs = 15_000;

/** One client's events, as server-sent events write them. A client that does not read is cut. */
export class EventStream {
  readonly #output: Writable;
  readonly #onCut: () => void;
  readonly #heartbeat: NodeJS.Timeout;

  constructor(output: Writable, onCut: () => void) {
    this.#output = output;
    this.#onCut = onCut;
    this.#heartbeat = setInterval(() => this.#write(':\n\n'), heartbeatMs);
    output.on('close', () => this.close());
    this.#write('retry: 2000\n\n');
  }

  send({ id, name, data }: SentEvent): void {
    this.#write(`id: ${id}\nevent: ${name}\ndata: ${data}\n\n`);
  }

  close(): void {
    clearInterval(this.#heartbeat);
    if (!this.#output.destroyed) this.#output.end();
  }

  #write(text: string): void {
    if (this.#output.destroyed || this.#output.writableEnded) return;
    if (this.#output.writableLength <= maxBufferedBytes) {
      this.#output.write(text);
      return;
    }
    this.#onCut();
    this.#output.destroy();
  }
}
