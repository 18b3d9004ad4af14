import { createSocket, type Socket } from 'node:dgram';
import { once } from 'node:events';
import type { Varbind } from '../../../../src/snmp/index.ts';
import { CommunityCodec } from '../../../../src/snmp/index.ts';

/** One request as a device saw it. */
export interface Asked {
  /** Milliseconds on the monotonic clock. */
  readonly atMs: number;
  /** The port that it came from: each collector with `sockets: 1` has its own. */
  readonly from: number;
  /** A poll, and not a discovery. Repeated requests count too. */
  readonly isPoll: boolean;
}

const sysDescr = '1.3.6.1.2.1.1.1.0';
const sysObjectId = '1.3.6.1.2.1.1.2.0';
const sysUpTime = '1.3.6.1.2.1.1.3.0';
/** Every poll reads it, to see whether the device was restarted. */
const engineBoots = '1.3.6.1.6.3.10.2.1.2.0';
/** Of a vendor. */
const serial = '1.3.6.1.4.1.64000.1.0';
/** A counter that increases by `countedPerSecond`, by the clock of the device. */
const counter = '1.3.6.1.2.1.1.99.0';
export const countedPerSecond = 10_000;
const usualTimeoutMs = 300;

/** Devices with sysDescr, sysObjectID, sysUpTime and a number of their vendor, which write down who asked them when. */
export class AskedDevices {
  readonly ports: number[] = [];
  /** By port of the device. */
  readonly asked = new Map<number, Asked[]>();
  readonly #sockets: Socket[] = [];
  readonly #codec = new CommunityCodec();

  static async start(test: { after(run: () => unknown): void }, count: number): Promise<AskedDevices> {
    const devices = new AskedDevices();
    test.after(() => devices.#close());
    for (let i = 0; i < count; i++) await devices.#add();
    return devices;
  }

  /** Everything that was asked of all devices after `sinceMs`. */
  since(sinceMs: number): Asked[] {
    return [...this.asked.values()].flat().filter(({ atMs }) => atMs >= sinceMs);
  }

  /** Polls in which two collectors asked a device within less than half of an interval. */
  findDoubled(everyMs: number, sinceMs = 0): string[] {
    const doubled: string[] = [];
    for (const [port, asked] of this.asked) {
      for (let i = 1; i < asked.length; i++) {
        const [before, now] = [asked[i - 1]!, asked[i]!];
        if (before.atMs < sinceMs || before.from === now.from) continue;
        if (now.atMs - before.atMs < everyMs / 2)
          doubled.push(`${port} after ${Math.round(now.atMs - before.atMs)} ms`);
      }
    }
    return doubled;
  }

  /** Devices that two collectors asked by turns within an interval and a half, because each took itself for the owner. */
  findShared(everyMs: number): string[] {
    const shared: string[] = [];
    for (const [port, asked] of this.asked) {
      for (let i = 2; i < asked.length; i++) {
        const now = asked[i]!;
        if (asked[i - 1]!.from === now.from) continue;
        const own = asked.slice(0, i - 1).findLast(({ from }) => from === now.from);
        const sinceMs = now.atMs - (own?.atMs ?? Number.NEGATIVE_INFINITY);
        if (sinceMs < 1.5 * everyMs) shared.push(`${port} within ${Math.round(sinceMs)} ms`);
      }
    }
    return shared;
  }

  /** The longest time without a request to one device since `sinceMs`, up to now. */
  longestGapMs(sinceMs: number): number {
    let longest = 0;
    for (const asked of this.asked.values()) {
      let last = sinceMs;
      for (const { atMs } of [...asked, { atMs: performance.now() }]) {
        if (atMs < sinceMs) continue;
        longest = Math.max(longest, atMs - last);
        last = atMs;
      }
    }
    return longest;
  }

  /** The polls of a device in order. A repeated request is no poll of its own. */
  pollsOf(port: number): Asked[] {
    const polls: Asked[] = [];
    for (const asked of this.asked.get(port)!) {
      const last = polls.at(-1);
      const isRepeated = last?.from === asked.from && asked.atMs - last.atMs < 2.5 * usualTimeoutMs;
      if (asked.isPoll && !isRepeated) polls.push(asked);
    }
    return polls;
  }

  /** The device files that name all of them. */
  toYaml(groups = 'plain', { timeoutMs = usualTimeoutMs, everyMs = 1_000 } = {}): string {
    return this.ports
      .map(
        (port, i) =>
          `d${i}: { ip: 127.0.0.1, port: ${port}, version: 2c, communities: [public], timeout: ${timeoutMs}, retries: 1, device_groups: [${groups}], poll_interval: ${everyMs / 1000} }\n`,
      )
      .join('');
  }

  async #add(): Promise<void> {
    const socket = createSocket('udp4');
    const asked: Asked[] = [];
    socket.on('message', (datagram, { port, address }) => {
      const atMs = performance.now();
      const request = this.#codec.decode(datagram);
      if (typeof request === 'string') return;
      const { type, requestId, varbinds } = request.pdu;
      asked.push({ atMs, from: port, isPoll: varbinds.some(({ oid }) => oid === engineBoots) });
      const upTicks = Math.floor(performance.now() / 10) + 100_000;
      const answers = varbinds.map(({ oid }) =>
        type === 'GetRequest' ? read(oid, upTicks) : next(oid, upTicks),
      );
      const pdu = { type: 'Response', requestId, errorStatus: 0, errorIndex: 0, varbinds: answers } as const;
      socket.send(this.#codec.encode({ ...request, pdu }), port, address);
    });
    socket.bind(0, '127.0.0.1');
    await once(socket, 'listening');
    this.#sockets.push(socket);
    this.ports.push(socket.address().port);
    this.asked.set(socket.address().port, asked);
  }

  async #close(): Promise<void> {
    for (const socket of this.#sockets) {
      socket.close();
      await once(socket, 'close');
    }
  }
}

function read(oid: string, upTicks: number): Varbind {
  if (oid === sysDescr) return { oid, type: 'OctetString', value: Buffer.from('a device') };
  if (oid === sysObjectId) return { oid, type: 'ObjectIdentifier', value: '1.3.6.1.4.1.8072.3.2.10' };
  if (oid === sysUpTime) return { oid, type: 'TimeTicks', value: upTicks };
  if (oid === counter) return { oid, type: 'Counter64', value: BigInt((upTicks * countedPerSecond) / 100) };
  if (oid === serial) return { oid, type: 'Integer32', value: 1 };
  return { oid, type: 'noSuchInstance', value: null };
}

function next(oid: string, upTicks: number): Varbind {
  const known = [sysDescr, sysObjectId, sysUpTime, counter, serial].find((each) => compare(oid, each) < 0);
  return known === undefined ? { oid, type: 'endOfMibView', value: null } : read(known, upTicks);
}

function compare(left: string, right: string): number {
  const [a, b] = [left.split('.'), right.split('.')];
  for (let i = 0; i < Math.max(a.length, b.length); i++) {
    const difference = Number(a[i] ?? -1) - Number(b[i] ?? -1);
    if (difference !== 0) return difference;
  }
  return 0;
}
