import { formatAddress } from '../../src/model/address-range.ts';

/** A UDP datagram of a capture. */
export interface CapturedDatagram {
  readonly octets: Buffer;
  readonly source: string;
  readonly sourcePort: number;
  readonly targetPort: number;
  readonly time: Date;
}

/** Octets in front of the IP header, by link type (https://www.tcpdump.org/linktypes.html). */
const linkHeaders: Readonly<Record<number, number>> = {
  0: 4, // loopback of BSD
  1: 14, // Ethernet
  12: 0, // IP alone, in three ways
  14: 0,
  101: 0,
  108: 4,
  113: 16, // Linux, any interface
  228: 0,
  229: 0,
  276: 20,
};
const vlanTypes: ReadonlySet<number> = new Set([0x8100, 0x88a8]);
const ethernet = 1;
const udp = 17;

const pcapMagic = new Map([
  [0xa1b2c3d4, 1_000],
  [0xa1b23c4d, 1_000_000],
]);
const sectionHeader = 0x0a0d0d0a;
const sectionOrder = 0x1a2b3c4d;

/**
 * The UDP datagrams of a file in the formats pcap and pcapng, in their order. Fragments and other protocols are left out.
 * Throws a RangeError for another format, and for a file that ends within a packet.
 */
export function* readCapture(file: Buffer): Iterable<CapturedDatagram> {
  if (file.length < 12) throw new RangeError('it is too short');
  if (file.readUInt32BE(0) === sectionHeader) yield* readPcapng(file);
  else if (pcapMagic.has(file.readUInt32LE(0)) || pcapMagic.has(file.readUInt32BE(0))) yield* readPcap(file);
  else throw new RangeError('it is neither pcap nor pcapng');
}

/** Reads numbers in the byte order of the machine that wrote the file. */
class Cursor {
  readonly #file: Buffer;
  isLittle = true;

  constructor(file: Buffer) {
    this.#file = file;
  }

  u32(at: number): number {
    if (at + 4 > this.#file.length) throw new RangeError('it ends within a packet');
    return this.isLittle ? this.#file.readUInt32LE(at) : this.#file.readUInt32BE(at);
  }

  u16(at: number): number {
    if (at + 2 > this.#file.length) throw new RangeError('it ends within a packet');
    return this.isLittle ? this.#file.readUInt16LE(at) : this.#file.readUInt16BE(at);
  }

  slice(at: number, length: number): Buffer {
    if (at + length > this.#file.length) throw new RangeError('it ends within a packet');
    return this.#file.subarray(at, at + length);
  }
}

function* readPcap(file: Buffer): Iterable<CapturedDatagram> {
  const cursor = new Cursor(file);
  cursor.isLittle = pcapMagic.has(file.readUInt32LE(0));
  const perMs = pcapMagic.get(cursor.u32(0))!;
  const link = cursor.u32(20) & 0xffff;
  for (let at = 24; at < file.length; ) {
    const length = cursor.u32(at + 8);
    const timeMs = cursor.u32(at) * 1_000 + cursor.u32(at + 4) / perMs;
    yield* readPacket(cursor.slice(at + 16, length), link, timeMs);
    at += 16 + length;
  }
}

function* readPcapng(file: Buffer): Iterable<CapturedDatagram> {
  const cursor = new Cursor(file);
  let interfaces: { readonly link: number; readonly ticksPerMs: number }[] = [];
  for (let at = 0; at < file.length; ) {
    // The same in both byte orders.
    if (cursor.slice(at, 4).readUInt32BE(0) === sectionHeader) {
      cursor.isLittle = cursor.slice(at + 8, 4).readUInt32LE(0) === sectionOrder;
      interfaces = [];
    }
    const type = cursor.u32(at);
    const length = cursor.u32(at + 4);
    if (length < 12 || length % 4 !== 0) throw new RangeError('a block has an impossible length');
    cursor.slice(at, length);
    if (type === 1)
      interfaces.push({ link: cursor.u16(at + 8), ticksPerMs: readResolution(cursor, at, length) });
    if (type === 6) {
      const { link, ticksPerMs } = interfaces[cursor.u32(at + 8)] ?? { link: -1, ticksPerMs: 1 };
      const timeMs = (cursor.u32(at + 12) * 2 ** 32 + cursor.u32(at + 16)) / ticksPerMs;
      yield* readPacket(cursor.slice(at + 28, cursor.u32(at + 20)), link, timeMs);
    }
    at += length;
  }
}

/** The option if_tsresol: a power of ten, or of two with the highest bit. Microseconds without it. */
function readResolution(cursor: Cursor, block: number, length: number): number {
  for (let at = block + 16; at + 4 <= block + length - 4; ) {
    const code = cursor.u16(at);
    const size = cursor.u16(at + 2);
    if (code === 0) break;
    if (code === 9 && size > 0) {
      const exponent = cursor.slice(at + 4, 1)[0]!;
      return (exponent & 0x80 ? 2 ** (exponent & 0x7f) : 10 ** exponent) / 1_000;
    }
    at += 4 + Math.ceil(size / 4) * 4;
  }
  return 1_000;
}

function* readPacket(packet: Buffer, link: number, timeMs: number): Iterable<CapturedDatagram> {
  let at = linkHeaders[link];
  if (at === undefined) throw new RangeError(`its link type ${link} is not supported`);
  if (link === ethernet)
    while (at + 4 <= packet.length && vlanTypes.has(packet.readUInt16BE(at - 2))) at += 4;
  const datagram = packet.length > at ? readIp(packet.subarray(at)) : undefined;
  if (datagram === undefined) return;
  const time = new Date(timeMs);
  if (Number.isNaN(time.getTime())) throw new RangeError('a packet has an impossible time');
  yield { ...datagram, time };
}

function readIp(packet: Buffer): Omit<CapturedDatagram, 'time'> | undefined {
  const version = packet[0]! >> 4;
  if (version === 4 && packet.length >= 20) {
    const isFragment = (packet.readUInt16BE(6) & 0x3fff) !== 0;
    if (packet[9] !== udp || isFragment) return undefined;
    return readUdp(packet.subarray((packet[0]! & 15) * 4), packet.subarray(12, 16).join('.'));
  }
  if (version !== 6 || packet.length < 40 || packet[6] !== udp) return undefined;
  const source = formatAddress(6, BigInt(`0x${packet.subarray(8, 24).toString('hex')}`));
  return readUdp(packet.subarray(40), source);
}

function readUdp(packet: Buffer, source: string): Omit<CapturedDatagram, 'time'> | undefined {
  if (packet.length < 8) return undefined;
  const octets = packet.subarray(8, packet.readUInt16BE(4));
  return { octets, source, sourcePort: packet.readUInt16BE(0), targetPort: packet.readUInt16BE(2) };
}
