import { createSocket, type Socket } from 'node:dgram';
import { once } from 'node:events';
import { isIPv6 } from 'node:net';
import { parseAddress } from '../../model/address-range.ts';
import { readKernelSockets } from '../transport/kernel-drops.ts';
import { lookup4, lookup6 } from '../transport/udp-sockets.ts';

/** An address and port that notifications are sent to. */
export interface ListenAddress {
  readonly address: string;
  /** 0: any free one. */
  readonly port: number;
  /** A socket that another program has opened and bound, such as systemd: the address then says only its family. */
  readonly fd?: number | undefined;
}

export interface ListenerSettings {
  readonly listen: readonly ListenAddress[];
  /** What the kernel may hold while the process is busy; it may grant less (net.core.rmem_max). */
  readonly receiveBufferBytes: number;
  /** `listener` is the index in `listen`. */
  onDatagram(datagram: Buffer, address: string, port: number, listener: number): void;
}

export interface ListenerStatistics extends ListenAddress {
  readonly received: number;
  /** What the kernel has granted. */
  readonly receiveBufferBytes: number;
  /** Datagrams that did not fit into the buffer; undefined where the system does not count them. */
  readonly kernelDrops: number | undefined;
}

interface OpenListener {
  readonly socket: Socket;
  address: string;
  port: number;
  received: number;
}

/** The sockets that notifications come to. Replies leave from the socket that the request came to. */
export class NotificationListeners {
  readonly #settings: ListenerSettings;
  readonly #listeners: OpenListener[] = [];
  #isClosed = false;

  /** Opens nothing yet: `listen` does. What answers datagrams can have it before the first one comes. */
  constructor(settings: ListenerSettings) {
    this.#settings = settings;
  }

  /** Listeners that are open. Use the constructor and `listen` when `onDatagram` needs them. Rejects as `listen` does. */
  static async open(settings: ListenerSettings): Promise<NotificationListeners> {
    const listeners = new NotificationListeners(settings);
    await listeners.listen();
    return listeners;
  }

  /**
   * Opens all or none. Rejects with the system's error, which has the address and the port. Datagrams may come before it resolves: those
   * that waited in a socket come at once.
   */
  async listen(): Promise<void> {
    try {
      for (const [index, { address, port, fd }] of this.#settings.listen.entries()) {
        const isIpv6 = isIPv6(address.split('%')[0]!);
        const socket = createSocket({
          type: isIpv6 ? 'udp6' : 'udp4',
          ipv6Only: isIpv6,
          recvBufferSize: this.#settings.receiveBufferBytes,
          lookup: isIpv6 ? lookup6 : lookup4,
        });
        const listener: OpenListener = { socket, address, port: 0, received: 0 };
        this.#listeners.push(listener);
        // Before `bind`, which may succeed at once.
        const listening = once(socket, 'listening');
        if (fd === undefined) socket.bind(port, address);
        else socket.bind({ fd });
        await listening;
        const bound = socket.address();
        if (fd !== undefined) listener.address = bound.address;
        listener.port = bound.port;
        socket.on('message', (datagram, from) => {
          listener.received++;
          this.#settings.onDatagram(datagram, from.address, from.port, index);
        });
        // A reply that cannot be sent is lost, as any datagram may be.
        socket.on('error', () => {});
      }
    } catch (error) {
      this.close();
      throw error;
    }
  }

  get addresses(): readonly ListenAddress[] {
    return this.#listeners.map(({ address, port }) => ({ address, port }));
  }

  /** Sends nothing when the listeners are closed, or to port 0, which only forged datagrams come from. */
  send(reply: Buffer, listener: number, port: number, address: string): void {
    if (this.#isClosed || port === 0) return;
    this.#listeners[listener]?.socket.send(reply, port, address, () => {});
  }

  async statistics(): Promise<ListenerStatistics[]> {
    const sockets = await readKernelSockets();
    // A closed socket has no buffer any more.
    if (this.#isClosed) return [];
    return this.#listeners.map(({ socket, address, port, received }) => {
      const hex = kernelHex(address);
      const own = sockets?.find((known) => known.port === port && known.addressHex === hex);
      // The kernel reserves, and reports, twice of what was asked for: the rest is for its own bookkeeping.
      const receiveBufferBytes = socket.getRecvBufferSize() / 2;
      return { address, port, received, receiveBufferBytes, kernelDrops: own?.drops };
    });
  }

  close(): void {
    this.#isClosed = true;
    for (const { socket } of this.#listeners) socket.close();
  }
}

/** An address as /proc/net/udp writes it: words of four octets, each a number of the machine. */
function kernelHex(address: string): string {
  const range = parseAddress(address.split('%')[0]!);
  if (range === undefined) return '';
  const octets = Buffer.from(range.first.toString(16).padStart(range.family === 4 ? 8 : 32, '0'), 'hex');
  return octets.swap32().toString('hex').toUpperCase();
}
