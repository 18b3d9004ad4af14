import { createSocket } from 'node:dgram';
import { once } from 'node:events';
import { CommunityCodec, type CommunityMessage } from '../../../src/snmp/codec/community-message.ts';
import type { Pdu } from '../../../src/snmp/codec/pdu.ts';
import type { Varbind } from '../../../src/snmp/codec/snmp-value.ts';

export type Reply = Buffer | { readonly fromOtherPort: Buffer };

export interface ScriptedAgent extends AsyncDisposable {
  readonly port: number;
  /** The received requests, in order. */
  readonly requests: CommunityMessage[];
}

/** An agent that answers every request with the datagrams that `script` returns, in that order. */
export async function startScriptedAgent(
  script: (request: CommunityMessage, count: number) => readonly Reply[],
): Promise<ScriptedAgent> {
  const codec = new CommunityCodec();
  const [socket, other] = [createSocket('udp4'), createSocket('udp4')];
  const requests: CommunityMessage[] = [];
  socket.on('message', (datagram, from) => {
    const request = codec.decode(datagram);
    if (typeof request === 'string') return;
    requests.push(request);
    for (const reply of script(request, requests.length)) {
      if (Buffer.isBuffer(reply)) socket.send(reply, from.port, from.address);
      else other.send(reply.fromOtherPort, from.port, from.address);
    }
  });
  for (const each of [socket, other]) {
    each.bind(0, '127.0.0.1');
    await once(each, 'listening');
  }
  return {
    port: socket.address().port,
    requests,
    async [Symbol.asyncDispose]() {
      for (const each of [socket, other]) {
        each.close();
        await once(each, 'close');
      }
    },
  };
}

const codec = new CommunityCodec();

/** The encoded answer to `request`: correct except for `changes`. */
export function answer(
  request: CommunityMessage,
  varbinds: readonly Varbind[],
  changes: Partial<Pdu> & { readonly version?: '1' | '2c'; readonly community?: string } = {},
): Buffer {
  const { version = request.version, community, ...pdu } = changes;
  return codec.encode({
    version,
    community: community === undefined ? request.community : Buffer.from(community),
    pdu: {
      type: 'Response',
      requestId: request.pdu.requestId,
      errorStatus: 0,
      errorIndex: 0,
      varbinds,
      ...pdu,
    },
  });
}

export function text(oid: string, value: string): Varbind {
  return { oid, type: 'OctetString', value: Buffer.from(value) };
}

export function number(oid: string, value: number): Varbind {
  return { oid, type: 'Integer32', value };
}
