import assert from 'node:assert/strict';
import { randomBytes } from 'node:crypto';
import { createSocket } from 'node:dgram';
import { once } from 'node:events';
import { after, before, describe, it } from 'node:test';
import { BerWriter } from '../../../src/snmp/codec/ber-writer.ts';
import { writePdu } from '../../../src/snmp/codec/pdu.ts';
import { createNetSnmpEngine, type SnmpEngine, type Varbind } from '../../../src/snmp/index.ts';
import { SaltSource } from '../../../src/snmp/usm/crypto/salt-source.ts';
import { AuthoritativeEngine } from '../../../src/snmp/usm/engine/authoritative-engine.ts';
import { reportOids } from '../../../src/snmp/usm/message/report-reason.ts';
import { V3Codec } from '../../../src/snmp/usm/message/v3-codec.ts';
import { MasterKeys } from '../../../src/snmp/usm/user/master-keys.ts';
import { prepareUser } from '../../../src/snmp/usm/user/security-user.ts';
import { text } from '../support/scripted-agent.ts';
import { authPrivUser, engineId } from '../usm/secured-pair.ts';

const sysName = '1.3.6.1.2.1.1.5.0';
const codec = new V3Codec();

interface SplitRequest {
  readonly messageId: number;
  readonly requestId: number;
}

/** Unsigned messages from an attacker who sees the requests. */
const forgeries: Readonly<Record<string, (question: SplitRequest) => Buffer>> = {
  'an unsigned Response': (question) => unsigned(question, 'Response', text(sysName, 'a lie')),
  'a Report of a wrong digest': (question) => unsigned(question, 'Report', counter(reportOids.wrongDigests)),
  'a Report of an unknown user': (question) =>
    unsigned(question, 'Report', counter(reportOids.unknownUserNames)),
  'a Report of an unknown counter': (question) => unsigned(question, 'Report', counter('1.3.6.1.9.9.0')),
};

describe('NetSnmpGuard over SNMPv3', () => {
  let engine: SnmpEngine;
  before(async () => {
    engine = await createNetSnmpEngine();
  });
  after(() => engine.close());

  for (const [what, forge] of Object.entries(forgeries)) {
    it(`ignores ${what}`, async () => {
      const agent = await startAgent(forge);
      try {
        const session = engine.open({
          address: '127.0.0.1',
          port: agent.port,
          version: '3',
          user: authPrivUser,
          timeoutMs: 500,
          retries: 0,
        });
        for (let round = 0; round < 3; round++) {
          const [varbind] = await session.get([sysName]);
          assert.equal(String(varbind?.value), 'the truth');
        }
        assert.equal(agent.counts.requests, 3);
        session.close();
      } finally {
        await agent.close();
      }
    });
  }
});

/** An agent behind a forger who always answers first. */
async function startAgent(forge: (question: SplitRequest) => Buffer) {
  const secured = new AuthoritativeEngine({
    engineId,
    users: [prepareUser(authPrivUser, new MasterKeys())],
    salts: new SaltSource(randomBytes(8)),
    clock: () => ({ boots: 1, time: 1000 }),
  });
  const counts = { requests: 0 };
  const socket = createSocket('udp4');
  socket.on('message', (datagram, from) => {
    const received = secured.receive(datagram);
    if (received.kind === 'report') socket.send(received.reply, from.port, from.address);
    if (received.kind !== 'request') return;
    counts.requests++;
    const pdu = codec.reader.open(received.octets, received.start, received.end);
    pdu.readHeader();
    const requestId = pdu.readInteger(0x02);
    socket.send(forge({ messageId: received.messageId, requestId }), from.port, from.address);
    const reply = encode('Response', requestId, text(sysName, 'the truth'));
    socket.send(secured.respond(received, reply), from.port, from.address);
  });
  socket.bind(0, '127.0.0.1');
  await once(socket, 'listening');
  return {
    port: socket.address().port,
    counts,
    close: async () => {
      socket.close();
      await once(socket, 'close');
    },
  };
}

function unsigned(
  { messageId, requestId }: SplitRequest,
  type: 'Response' | 'Report',
  varbind: Varbind,
): Buffer {
  return codec.seal({
    messageId,
    flags: 0,
    engineId,
    boots: 1,
    time: 1000,
    userName: Buffer.from(authPrivUser.name),
    keys: {},
    contextEngineId: engineId,
    contextName: Buffer.alloc(0),
    pdu: encode(type, requestId, varbind),
  });
}

function encode(type: 'Response' | 'Report', requestId: number, varbind: Varbind): Buffer {
  const writer = new BerWriter();
  writePdu(writer, { type, requestId, errorStatus: 0, errorIndex: 0, varbinds: [varbind] });
  return writer.toBuffer();
}

function counter(oid: string): Varbind {
  return { oid, type: 'Counter32', value: 1 };
}
