import { Peer, type PeerSettings } from '../transport/flight.ts';

interface SharedPeer {
  readonly peer: Peer;
  sessions: number;
}

/**
 * A device's limit of outstanding requests applies to all its sessions together: sessions to one address and port with the
 * same settings share the peer that counts them.
 */
export class SharedPeers {
  readonly #peers = new Map<string, SharedPeer>();

  get size(): number {
    return this.#peers.size;
  }

  /** Call `release` for every peer that was taken. */
  take(settings: PeerSettings): Peer {
    const key = keyOf(settings);
    let shared = this.#peers.get(key);
    if (shared === undefined) {
      shared = { peer: new Peer(settings), sessions: 0 };
      this.#peers.set(key, shared);
    }
    shared.sessions++;
    return shared.peer;
  }

  release({ settings }: Peer): void {
    const key = keyOf(settings);
    const shared = this.#peers.get(key)!;
    if (--shared.sessions === 0) this.#peers.delete(key);
  }
}

function keyOf(settings: PeerSettings): string {
  const { address, port, acceptsAnySource, timeoutMs, retries, exponentialTimeout, maxOutstanding } =
    settings;
  return `${address} ${port} ${acceptsAnySource} ${timeoutMs} ${retries} ${exponentialTimeout} ${maxOutstanding}`;
}
