import { createSocket } from 'node:dgram';
import { argv } from 'node:process';
import { CommunityCodec } from '../../../src/snmp/codec/community-message.ts';
import { seededRandom } from '../../../src/testing/index.ts';

/** The agent's view of the requests, by the number in their OID. */
export interface AgentReport {
  /** Numbers for which no correct reply was sent. */
  readonly unanswered: number;
  /** Those of them that were requested less often than expected. */
  readonly rarelyAsked: number;
}

/**
 * usage: numbered-agent LOSS ATTEMPTS, forked. Sends its port, and an {@link AgentReport} after any message. The value of every OID
 * is its last arc, so that a wrong value is detected. Datagrams are lost both ways, duplicated, delayed, reordered, or repeated
 * much later. Some replies are first sent from another port, with values that no OID has.
 */
const [loss = 0, attempts = 0] = argv.slice(2).map(Number);
const random = seededRandom(11);
const codec = new CommunityCodec();
// Room for the requests of a thousand sessions, if the system grants it.
const socket = createSocket({ type: 'udp4', recvBufferSize: 4 << 20 });
const stranger = createSocket('udp4');
/** Earlier replies, which are sent again later. */
const stale: Buffer[] = new Array(256);
let answered = 0;
const timesAsked = new Map<string, number>();

socket.on('message', (datagram, { address, port }) => {
  const request = codec.decode(datagram);
  if (typeof request === 'string') return;
  const asked = request.pdu.varbinds[0]!.oid;
  timesAsked.set(asked, (timesAsked.get(asked) ?? 0) + 1);
  if (random() < loss) return;
  const reply = (offset: number) =>
    codec.encode({
      ...request,
      pdu: {
        type: 'Response',
        requestId: request.pdu.requestId,
        errorStatus: 0,
        errorIndex: 0,
        varbinds: request.pdu.varbinds.map(({ oid }) => ({
          oid,
          type: 'Integer32',
          value: Number(oid.slice(oid.lastIndexOf('.') + 1)) + offset,
        })),
      },
    });
  const send = (bytes: Buffer) => socket.send(bytes, port, address);
  if (random() < 0.1) stranger.send(reply(-5_000_000), port, address);
  const old = stale[Math.floor(random() * stale.length)];
  if (old !== undefined && random() < 0.2) send(old);
  if (random() < loss) return;
  const truth = reply(0);
  timesAsked.set(asked, Infinity);
  stale[answered++ % stale.length] = truth;
  if (random() < 0.2) setTimeout(send, random() * 20, truth);
  else send(truth);
  if (random() < 0.1) setTimeout(send, random() * 600, truth);
});
stranger.bind(0, '127.0.0.1');
socket.bind({ port: 0, address: '127.0.0.1' }, () => process.send?.(socket.address().port));
process.on('message', () => {
  const unanswered = [...timesAsked.values()].filter((times) => times < Infinity);
  const rarelyAsked = unanswered.filter((times) => times < attempts).length;
  process.send?.({ unanswered: unanswered.length, rarelyAsked } satisfies AgentReport);
});
process.on('disconnect', () => process.exit());
