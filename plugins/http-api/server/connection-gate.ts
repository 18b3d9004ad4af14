import type { Server } from 'node:http';
import type { Socket } from 'node:net';
import { performance } from 'node:perf_hooks';
import { addressKey } from '../security/limits.ts';

export interface GateLimits {
  readonly connections: number;
  readonly connections_per_address: number;
}

/** How long new connections may take from other work at a time. */
const sliceMs = 5;

/**
 * Limits the connections of a server in total and per address, and takes new ones in slices, so that thousands at the same moment do not
 * delay other work.
 */
export class ConnectionGate {
  /** Connections that were closed without a request, by the limit that they exceeded. */
  readonly refused = { total: 0, address: 0 };
  readonly #limits: GateLimits;
  readonly #refuse: (socket: Socket) => void;
  readonly #open = new Map<string, number>();
  #waiting: Socket[] = [];
  #accept: (socket: Socket) => void = () => {};

  constructor(limits: GateLimits, refuse: (socket: Socket) => void) {
    this.#limits = limits;
    this.#refuse = refuse;
  }

  /** Call it before the server listens, after its own listeners were added. */
  guard(server: Server): void {
    server.maxConnections = this.#limits.connections;
    server.on('drop', () => this.refused.total++);
    const listeners = server.listeners('connection');
    server.removeAllListeners('connection');
    this.#accept = (socket) => {
      for (const listener of listeners) listener.call(server, socket);
    };
    server.on('connection', (socket: Socket) => this.#queue(socket));
  }

  #queue(socket: Socket): void {
    const key = addressKey(socket.remoteAddress ?? '');
    const open = (this.#open.get(key) ?? 0) + 1;
    this.#open.set(key, open);
    // Until the server listens to it.
    socket.on('error', ignore);
    socket.once('close', () => this.#forget(key));
    if (open > this.#limits.connections_per_address) {
      this.refused.address++;
      this.#refuse(socket);
      return;
    }
    this.#waiting.push(socket);
    if (this.#waiting.length === 1) setImmediate(this.#acceptSlice);
  }

  readonly #acceptSlice = (): void => {
    const end = performance.now() + sliceMs;
    let taken = 0;
    while (taken < this.#waiting.length && (taken === 0 || performance.now() < end)) {
      const socket = this.#waiting[taken++]!;
      socket.off('error', ignore);
      if (!socket.destroyed) this.#accept(socket);
    }
    this.#waiting = this.#waiting.slice(taken);
    if (this.#waiting.length > 0) setImmediate(this.#acceptSlice);
  };

  #forget(key: string): void {
    const left = this.#open.get(key)! - 1;
    if (left === 0) this.#open.delete(key);
    else this.#open.set(key, left);
  }
}

function ignore(): void {}
