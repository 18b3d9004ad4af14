import { createSocket, type RemoteInfo, type Socket, type SocketOptions } from 'node:dgram';
import { readKernelSockets } from './kernel-drops.ts';

export interface SocketSettings {
  /** Sockets per address family; each is bound at its first use. */
  readonly socketsPerFamily: number;
  readonly receiveBufferBytes: number;
  readonly sendBufferBytes: number;
}

export interface SocketEvents {
  onDatagram(datagram: Buffer, from: RemoteInfo): void;
  onSocketError(error: Error): void;
}

/**
 * The few unconnected UDP sockets that serve every device. Linux reports ICMP errors only on connected sockets or with
 * IP_RECVERR, which Node cannot set: an unreachable port shows as a timeout, an unreachable network as a send error.
 */
export class UdpSockets {
  readonly #settings: SocketSettings;
  readonly #events: SocketEvents;
  readonly #sockets: { readonly 4: (Socket | undefined)[]; readonly 6: (Socket | undefined)[] } = {
    4: [],
    6: [],
  };
  // One function for all sockets, so that the compiler can inline what is called for each datagram.
  readonly #onMessage = (datagram: Buffer, from: RemoteInfo) => this.#events.onDatagram(datagram, from);

  constructor(settings: SocketSettings, events: SocketEvents) {
    this.#settings = settings;
    this.#events = events;
  }

  get count(): number {
    return this.#open().length;
  }

  /** Datagrams that the kernel dropped because the sockets' buffers were full; undefined where the system does not report it. */
  async readKernelDrops(): Promise<number | undefined> {
    const ports = new Set(this.#open().map((socket) => socket.address().port));
    const sockets = await readKernelSockets();
    return sockets?.reduce((drops, socket) => drops + (ports.has(socket.port) ? socket.drops : 0), 0);
  }

  /** `index` is any number; the same number returns the same socket, so that a device always sees the same source port. */
  get(isIpv6: boolean, index: number): Socket {
    const sockets = this.#sockets[isIpv6 ? 6 : 4];
    const slot = index % this.#settings.socketsPerFamily;
    const known = sockets[slot];
    if (known !== undefined) return known;
    const socket = this.#create(isIpv6);
    sockets[slot] = socket;
    return socket;
  }

  close(): void {
    for (const socket of this.#open()) socket.close();
    this.#sockets[4].length = 0;
    this.#sockets[6].length = 0;
  }

  #create(isIpv6: boolean): Socket {
    const socket = createSocket({
      type: isIpv6 ? 'udp6' : 'udp4',
      ipv6Only: isIpv6,
      recvBufferSize: this.#settings.receiveBufferBytes,
      sendBufferSize: this.#settings.sendBufferBytes,
      lookup: isIpv6 ? lookup6 : lookup4,
    });
    socket.on('message', this.#onMessage);
    socket.on('error', (error) => this.#events.onSocketError(error));
    socket.bind(0, isIpv6 ? '::' : '0.0.0.0');
    return socket;
  }

  #open(): Socket[] {
    return [...this.#sockets[4], ...this.#sockets[6]].filter((socket) => socket !== undefined);
  }
}

type Lookup = NonNullable<SocketOptions['lookup']>;

/** Addresses only: dns.lookup would cost a turn of the loop for every datagram. */
export const lookup4: Lookup = (address, _options, callback) => callback(null, address, 4);
export const lookup6: Lookup = (address, _options, callback) => callback(null, address, 6);
