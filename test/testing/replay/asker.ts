import { createSocket, type RemoteInfo, type Socket } from 'node:dgram';
import { isIPv6 } from 'node:net';
import { CommunityCodec } from '../../../src/snmp/codec/community-message.ts';
import type { Pdu, PduType } from '../../../src/snmp/codec/pdu.ts';

/** The plainest manager there can be: no retries, no checks, every datagram seen. */
export class Asker implements AsyncDisposable {
  readonly #codec = new CommunityCodec();
  readonly #socket: Socket;
  readonly #agent: { readonly address: string; readonly port: number };
  readonly #version: '1' | '2c';
  readonly #community: string;
  readonly #waiting = new Map<number, (pdu: Pdu) => void>();
  /** Request ids of the replies, in the order of their arrival, and the ports they came from. */
  readonly arrivals: { readonly requestId: number; readonly port: number; readonly bytes: number }[] = [];
  #lastId = 0;

  constructor(
    agent: { readonly address: string; readonly port: number },
    version: '1' | '2c' = '2c',
    community = 'public',
  ) {
    this.#agent = agent;
    this.#version = version;
    this.#community = community;
    this.#socket = createSocket(isIPv6(agent.address) ? 'udp6' : 'udp4', (datagram, peer) =>
      this.#receive(datagram, peer),
    );
  }

  get received(): number {
    return this.arrivals.length;
  }

  get(oids: readonly string[]): Promise<Pdu> {
    return this.ask('GetRequest', oids);
  }

  getNext(oids: readonly string[]): Promise<Pdu> {
    return this.ask('GetNextRequest', oids);
  }

  getBulk(oids: readonly string[], nonRepeaters: number, maxRepetitions: number): Promise<Pdu> {
    return this.ask('GetBulkRequest', oids, nonRepeaters, maxRepetitions);
  }

  ask(type: PduType, oids: readonly string[], errorStatus = 0, errorIndex = 0): Promise<Pdu> {
    const requestId = this.sendPdu(type, oids, errorStatus, errorIndex);
    return new Promise((resolve) => this.#waiting.set(requestId, resolve));
  }

  /** Sends a request without waiting for its reply, and returns its id. */
  sendPdu(type: PduType, oids: readonly string[], errorStatus = 0, errorIndex = 0): number {
    const requestId = ++this.#lastId;
    const varbinds = oids.map((oid) => ({ oid, type: 'Null', value: null }) as const);
    const community = Buffer.from(this.#community);
    this.send(
      this.#codec.encode({
        version: this.#version,
        community,
        pdu: { type, requestId, errorStatus, errorIndex, varbinds },
      }),
    );
    return requestId;
  }

  send(datagram: Buffer): void {
    this.#socket.send(datagram, this.#agent.port, this.#agent.address);
  }

  [Symbol.asyncDispose](): Promise<void> {
    return new Promise((resolve) => this.#socket.close(() => resolve()));
  }

  #receive(datagram: Buffer, peer: RemoteInfo): void {
    const message = this.#codec.decode(datagram);
    if (typeof message === 'string') throw new Error(`the reply cannot be decoded: ${message}`);
    const { pdu } = message;
    this.arrivals.push({ requestId: pdu.requestId, port: peer.port, bytes: datagram.length });
    this.#waiting.get(pdu.requestId)?.(pdu);
    this.#waiting.delete(pdu.requestId);
  }
}
