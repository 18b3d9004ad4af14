import type { Server } from 'node:http';
import type { Socket } from 'node:net';
import { performance } from 'node:perf_hooks';
import { addressKey } from '../security/limits.ts';

export interface GateLimits {
  readonly connections: number;
  readonly connections_per_address: number;
  readonly request_ms: number;
}

/** How long the connections that are taken in one turn of the event loop may keep it busy, with their handshakes and first requests. */
const turnMs = 5;

/** While connections keep arriving, they are taken once in so many turns. */
const maxArrivals = 64;

/**
 * Limits the connections of a server in total and per address. The server gets a connection when its first data has come, a few at a time, of
 * each address in turn: thousands at the same moment delay neither other work nor the clients with other addresses.
 */
export class ConnectionGate {
  /** Connections that were closed because of a limit. */
  readonly refused = { total: 0, address: 0 };
  readonly #limits: GateLimits;
  readonly #refuse: (socket: Socket) => void;
  /** By address, the oldest first. */
  readonly #open = new Map<string, Set<Socket>>();
  #total = 0;
  /** Connections that have not sent anything. */
  readonly #silent = new Set<Socket>();
  /** By address: connections that have sent something and are not taken yet. */
  readonly #waiting = new Map<string, Socket[]>();
  #perTurn = 1;
  /** When connections were taken in the turn before this one. */
  #takenMs: number | undefined = undefined;
  /** Turns since connections were taken, while others arrived. */
  #arrivals = 0;
  #hasArrived = false;
  #accept: (socket: Socket) => void = () => {};

  constructor(limits: GateLimits, refuse: (socket: Socket) => void) {
    this.#limits = limits;
    this.#refuse = refuse;
  }

  /** Call it before the server listens, after its own listeners were added. */
  guard(server: Server & { pauseOnConnect?: boolean }): void {
    const listeners = server.listeners('connection');
    server.removeAllListeners('connection');
    server.pauseOnConnect = true;
    this.#accept = (socket) => {
      // A TLS server makes another socket of this one, which must not wait.
      server.pauseOnConnect = false;
      for (const listener of listeners) listener.call(server, socket);
      server.pauseOnConnect = true;
      socket.resume();
    };
    server.on('connection', (socket: Socket) => this.#arrive(socket));
  }

  /** Closes the connections that the server does not know yet. */
  close(): void {
    for (const socket of this.#silent) socket.destroy();
  }

  #arrive(socket: Socket): void {
    const key = addressKey(socket.remoteAddress ?? '');
    const open = this.#open.get(key) ?? new Set();
    this.#open.set(key, open.add(socket));
    this.#total++;
    this.#hasArrived = true;
    // Until the server listens to it.
    socket.on('error', ignore);
    socket.once('close', () => this.#forget(key, socket));
    if (open.size > this.#limits.connections_per_address) {
      this.refused.address++;
      this.#refuse(socket.resume());
      return;
    }
    if (this.#total > this.#limits.connections) {
      this.refused.total++;
      const closed = this.#findDispensable(open) ?? socket;
      closed.destroy();
      if (closed === socket) return;
    }
    this.#silent.add(socket);
    socket.setTimeout(this.#limits.request_ms).once('timeout', destroy).once('end', destroy);
    socket.once('readable', () => this.#queue(key, socket));
  }

  #queue(key: string, socket: Socket): void {
    this.#silent.delete(socket);
    socket.setTimeout(0).off('timeout', destroy);
    const before = this.#waiting.get(key);
    if (before !== undefined) before.push(socket);
    else if (this.#waiting.set(key, [socket]).size === 1) setImmediate(this.#takeSome);
  }

  /** The oldest connection of the address with the most, unless this one's address has as many. */
  #findDispensable(own: ReadonlySet<Socket>): Socket | undefined {
    let most = own;
    for (const open of this.#open.values()) if (open.size > most.size) most = open;
    return most === own ? undefined : most.values().next().value;
  }

  readonly #takeSome = (): void => {
    const nowMs = performance.now();
    if (this.#takenMs !== undefined) {
      const isSlow = nowMs - this.#takenMs > turnMs;
      this.#perTurn = isSlow ? Math.max(1, this.#perTurn >> 1) : this.#perTurn + 1;
    }
    // Node.js accepts one connection in each turn. Those of other addresses may be behind it.
    const isArrival = this.#hasArrived && this.#arrivals < maxArrivals;
    this.#hasArrived = false;
    this.#arrivals = isArrival ? this.#arrivals + 1 : 0;
    this.#takenMs = isArrival ? undefined : nowMs;
    const most = isArrival ? 0 : this.#perTurn;
    for (let taken = 0; taken < most && this.#waiting.size > 0; taken++) this.#takeNext();
    if (this.#waiting.size > 0) setImmediate(this.#takeSome);
    else this.#takenMs = undefined;
  };

  #takeNext(): void {
    const [next] = this.#waiting;
    const [key, sockets] = next!;
    const socket = sockets.shift()!;
    // The others of this address wait behind those of all other addresses.
    this.#waiting.delete(key);
    if (sockets.length > 0) this.#waiting.set(key, sockets);
    socket.off('error', ignore).off('end', destroy);
    if (!socket.destroyed) this.#accept(socket);
  }

  #forget(key: string, socket: Socket): void {
    this.#total--;
    this.#silent.delete(socket);
    const open = this.#open.get(key)!;
    open.delete(socket);
    if (open.size === 0) this.#open.delete(key);
  }
}

function ignore(): void {}

function destroy(this: Socket): void {
  this.destroy();
}
