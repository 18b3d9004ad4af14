/** What a capture is written with. */
export interface CaptureForm {
  readonly ports?: readonly number[];
  readonly isLittle?: boolean;
  readonly link?: 1 | 101 | 113;
  readonly ipVersion?: 4 | 6;
}

export const capturedMs = Date.UTC(2026, 0, 2, 3, 4, 5, 250);

/** A file in the format pcap with these UDP datagrams. */
export function captureOf(datagrams: readonly Buffer[], form: CaptureForm = {}): Buffer {
  const { ports = [], isLittle = true, link = 1 } = form;
  const u32 = (...numbers: number[]) => words(numbers, isLittle);
  const packets = datagrams.map((datagram, i) => {
    const packet = packetOf(datagram, ports[i] ?? 162, form);
    const seconds = Math.floor(capturedMs / 1000);
    return Buffer.concat([u32(seconds, (capturedMs % 1000) * 1000, packet.length, packet.length), packet]);
  });
  return Buffer.concat([
    u32(0xa1b2c3d4, isLittle ? 0x0004_0002 : 0x0002_0004, 0, 0, 65_535, link),
    ...packets,
  ]);
}

/** The same in the format pcapng, with microseconds. */
export function nextCaptureOf(datagrams: readonly Buffer[], form: CaptureForm = {}): Buffer {
  const { ports = [], isLittle = true, link = 1 } = form;
  const u32 = (...numbers: number[]) => words(numbers, isLittle);
  const block = (type: number, content: Buffer) => {
    const padded = Buffer.concat([content, Buffer.alloc(-content.length & 3)]);
    return Buffer.concat([u32(type, padded.length + 12), padded, u32(padded.length + 12)]);
  };
  const section = block(0x0a0d0d0a, u32(0x1a2b3c4d, isLittle ? 1 : 0x0001_0000, 0xffffffff, 0xffffffff));
  const face = block(1, isLittle ? u32(link, 65_535) : u32(link * 65_536, 65_535));
  const packets = datagrams.map((datagram, i) => {
    const packet = packetOf(datagram, ports[i] ?? 162, form);
    const ticks = capturedMs * 1000;
    const fields = u32(0, Math.floor(ticks / 2 ** 32), ticks % 2 ** 32, packet.length, packet.length);
    return block(6, Buffer.concat([fields, packet]));
  });
  return Buffer.concat([section, face, ...packets]);
}

function words(numbers: readonly number[], isLittle: boolean): Buffer {
  const octets = Buffer.alloc(4 * numbers.length);
  for (const [i, number] of numbers.entries())
    if (isLittle) octets.writeUInt32LE(number, 4 * i);
    else octets.writeUInt32BE(number, 4 * i);
  return octets;
}

function packetOf(datagram: Buffer, port: number, { link = 1, ipVersion = 4 }: CaptureForm): Buffer {
  const udp = Buffer.alloc(8);
  udp.writeUInt16BE(50_123, 0);
  udp.writeUInt16BE(port, 2);
  udp.writeUInt16BE(8 + datagram.length, 4);
  const head = Buffer.alloc({ 1: 14, 101: 0, 113: 16 }[link]);
  return Buffer.concat([head, ipVersion === 4 ? ipv4() : ipv6(), udp, datagram]);
}

function ipv4(): Buffer {
  const header = Buffer.alloc(20);
  header[0] = 0x45;
  header[9] = 17;
  header.set([192, 0, 2, 1], 12);
  return header;
}

function ipv6(): Buffer {
  const header = Buffer.alloc(40);
  header[0] = 0x60;
  header[6] = 17;
  header.set(Buffer.from('20010db8000000000000000000000001', 'hex'), 8);
  return header;
}
