import { createSocket } from 'node:dgram';
import { once } from 'node:events';
import { argv } from 'node:process';
import { BerReader } from '../../../../../src/snmp/codec/ber-reader.ts';
import { berTag } from '../../../../../src/snmp/codec/ber-tag.ts';
import { BerWriter } from '../../../../../src/snmp/codec/ber-writer.ts';
import { encodeOid } from '../../../../../src/snmp/codec/oid-bytes.ts';
import { V3Codec } from '../../../../../src/snmp/usm/message/v3-codec.ts';
import { type Arcs, type HostileKind, type HostileValue, hostileKinds } from './hostile-kinds.ts';

/** usage: hostile-agent KIND…. One device per kind, each on its own port; sends the ports to the parent process. */
const writer = new BerWriter(70_000);
const maxBytes = 65_000;
const maxReplyVarbinds = 100;
const scalars = { sysObjectId: '1.3.6.1.2.1.1.2', sysUpTime: '1.3.6.1.2.1.1.3' };
/** Columns have their number behind the arc of the entry: everything below them is an index. */
const tableColumn =
  /^1\.3\.6\.1\.2\.1\.2\.2\.1\.\d+|^1\.3\.6\.1\.2\.1\.31\.1\.1\.1\.\d+|^1\.3\.6\.1\.4\.1\.99999\.1\.\d+\.1\.1\.\d+/;

const ports: number[] = [];
for (const name of argv.slice(2)) ports.push(await serve(hostileKinds[name]!));
process.send?.(ports);
process.on('disconnect', () => process.exit());

async function serve(kind: HostileKind): Promise<number> {
  const socket = createSocket('udp4');
  socket.bind(0, '127.0.0.1');
  await once(socket, 'listening');
  socket.setSendBufferSize(4_000_000);
  socket.on('message', (request, { port, address }) => {
    const replies = [...(kind.noise?.(request) ?? []), ...answer(kind, request)];
    const send = () => {
      for (const reply of replies) socket.send(reply, port, address);
    };
    if (kind.delayMs === undefined) send();
    else setTimeout(send, kind.delayMs);
  });
  return socket.address().port;
}

function answer(kind: HostileKind, request: Buffer): Buffer[] {
  const reader = new BerReader().open(request);
  reader.enter(berTag.sequence);
  const version = reader.readInteger(berTag.integer);
  if (version === 3) return kind.reports === undefined ? [] : reportsTo(request, kind.reports);
  const community = Buffer.from(reader.readOctets(berTag.octetString));
  const tag = reader.readHeader();
  reader.end = reader.position + reader.length;
  const id = reader.readInteger(berTag.integer);
  reader.readInteger(berTag.integer);
  const repetitions = reader.readInteger(berTag.integer);
  reader.enter(berTag.sequence);
  const asked: Arcs[] = [];
  while (!reader.isAtEnd) {
    const end = reader.enter(berTag.sequence);
    reader.expectHeader(berTag.objectIdentifier);
    asked.push(decodeArcs(reader.bytes, reader.position, reader.position + reader.length));
    reader.position = reader.end;
    reader.leave(end);
  }
  const reply = encode(kind, { version, community, tag, id, repetitions, asked });
  return new Array<Buffer>(kind.copies ?? 1).fill(reply);
}

interface Request {
  readonly version: number;
  readonly community: Buffer;
  readonly tag: number;
  readonly id: number;
  readonly repetitions: number;
  readonly asked: readonly Arcs[];
}

function encode(kind: HostileKind, { version, community, tag, id, repetitions, asked }: Request): Buffer {
  const rows = tag === berTag.getBulkRequest ? repetitions : 1;
  const wanted = rows * asked.length;
  const isTooBig = wanted > (kind.maxVarbinds ?? Number.POSITIVE_INFINITY);
  const varbinds: Buffer[] = [];
  if (!isTooBig) {
    let bytes = 0;
    let from = [...asked];
    for (let row = 0; row < rows && varbinds.length < maxReplyVarbinds; row++) {
      from = from.map((oid) => {
        const name = tag === berTag.getRequest ? oid : nextOf(kind, oid);
        const varbind = encodeVarbind(kind, name ?? oid, name !== undefined);
        bytes += varbind.length;
        if (bytes < maxBytes) varbinds.push(varbind);
        return [...(name ?? oid)];
      });
      if (bytes >= maxBytes) break;
    }
  }
  writer.reset();
  writer.raw(Buffer.concat(varbinds));
  writer.header(berTag.sequence, 0);
  writer.integer(0);
  writer.integer(isTooBig ? 1 : 0);
  writer.integer(id);
  writer.header(berTag.response, 0);
  writer.octets(berTag.octetString, community);
  writer.integer(version);
  writer.header(berTag.sequence, 0);
  return writer.toBuffer();
}

function nextOf(kind: HostileKind, oid: Arcs): Arcs | undefined {
  const text = oid.join('.');
  const [found] = tableColumn.exec(text) ?? [];
  if (found === undefined) return undefined;
  const column = found.split('.').map(Number);
  const index = kind.next(oid.slice(column.length), column);
  if (index !== undefined) return [...column, ...index];
  // The end of a column is the start of the next one, as in any agent.
  const following = [...column.slice(0, -1), column.at(-1)! + 1];
  if (following.at(-1)! > 25) return undefined;
  const first = kind.next([], following);
  return first === undefined ? undefined : [...following, ...first];
}

const encodedColumns = new Map<string, Buffer>();

function encodeVarbind(kind: HostileKind, oid: Arcs, isThere: boolean): Buffer {
  const part = new BerWriter(2_000);
  const text = oid.join('.');
  const value = isThere ? findValue(kind, text, oid) : undefined;
  if (value === undefined) part.empty(isThere ? berTag.noSuchInstance : berTag.endOfMibView);
  else if (value.type === 'number') part.integer(value.value, berTag.gauge32);
  else if (value.type === 'ticks') part.integer(value.value, berTag.timeTicks);
  else if (value.type === 'oid') part.octets(berTag.objectIdentifier, encodeOid(value.arcs.join('.'))!);
  else part.octets(berTag.octetString, value.octets);
  let name = encodedColumns.get(text);
  if (name === undefined) {
    name = encodeOid(text)!;
    if (encodedColumns.size < 50_000) encodedColumns.set(text, name);
  }
  part.octets(berTag.objectIdentifier, name);
  part.header(berTag.sequence, 0);
  return part.toBuffer();
}

function findValue(kind: HostileKind, text: string, oid: Arcs): HostileValue | undefined {
  if (text.startsWith(scalars.sysObjectId))
    return { type: 'oid', arcs: kind.sysObjectId?.() ?? [1, 3, 6, 1, 4, 1, 9, 1, 1] };
  if (text.startsWith(scalars.sysUpTime))
    return { type: 'ticks', value: kind.sysUpTime?.() ?? Math.floor(performance.now() / 10) + 100 };
  const [found] = tableColumn.exec(text) ?? [];
  if (found === undefined) return undefined;
  const column = found.split('.').map(Number);
  const index = oid.slice(column.length);
  if (index.length === 0) return undefined;
  if (kind.value !== undefined) return kind.value(column, index);
  return column.at(-1)! <= 2
    ? { type: 'text', octets: Buffer.from(`row ${index.at(-1)}`) }
    : { type: 'number', value: Date.now() & 0x7fffffff };
}

/** Reports of an engine without a user: unknownEngineIDs with another engine id each time. */
function reportsTo(request: Buffer, count: number): Buffer[] {
  const codec = new V3Codec();
  const message = codec.read(request);
  if (typeof message === 'string') return [];
  return Array.from({ length: count }, (_, i) => {
    const pdu = new BerWriter(200);
    pdu.integer(i, berTag.counter32);
    pdu.octets(berTag.objectIdentifier, encodeOid('1.3.6.1.6.3.15.1.1.4.0')!);
    pdu.header(berTag.sequence, 0);
    pdu.header(berTag.sequence, 0);
    pdu.integer(0);
    pdu.integer(0);
    pdu.integer(0);
    pdu.header(berTag.report, 0);
    const engineId = Buffer.from([0x80, 0, 0, 9, 3, i & 255, (i >> 8) & 255, Date.now() & 255, 1, 2, 3]);
    return codec.seal({
      messageId: message.messageId,
      flags: 0,
      engineId,
      boots: i,
      time: i,
      userName: Buffer.alloc(0),
      keys: {} as never,
      contextEngineId: engineId,
      contextName: Buffer.alloc(0),
      pdu: pdu.toBuffer(),
    });
  });
}

function decodeArcs(bytes: Uint8Array, start: number, end: number): number[] {
  const arcs: number[] = [];
  let arc = 0;
  for (let at = start; at < end; at++) {
    arc = arc * 128 + (bytes[at]! & 0x7f);
    if (bytes[at]! > 0x7f) continue;
    if (arcs.length === 0)
      arcs.push(Math.min(2, Math.floor(arc / 40)), arc - 40 * Math.min(2, Math.floor(arc / 40)));
    else arcs.push(arc);
    arc = 0;
  }
  return arcs;
}
