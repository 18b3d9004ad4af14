import assert from 'node:assert/strict';
import { createSocket, type RemoteInfo } from 'node:dgram';
import { once } from 'node:events';
import { after, describe, it } from 'node:test';
import { BerReader } from '../../src/snmp/codec/ber-reader.ts';
import { berTag } from '../../src/snmp/codec/ber-tag.ts';
import { BerWriter } from '../../src/snmp/codec/ber-writer.ts';
import { writePdu } from '../../src/snmp/codec/pdu.ts';
import { compileGet, createManager, createPollColumns } from '../../src/snmp/index.ts';
import { reportOids } from '../../src/snmp/usm/message/report-reason.ts';
import { V3Codec } from '../../src/snmp/usm/message/v3-codec.ts';
import { readV3Message, type V3Message } from '../../src/snmp/usm/message/v3-message.ts';
import { messageFlag } from '../../src/snmp/usm/user/security-level.ts';
import { parseRecording, startReplayAgent } from '../../src/testing/index.ts';

const user = {
  name: 'alice',
  authProtocol: 'sha256',
  authPassphrase: 'maplesyrup',
  privProtocol: 'aes',
  privPassphrase: 'pancakes!',
} as const;
const name = '1.3.6.1.2.1.1.5.0';
const rows = Array.from(
  { length: 300 },
  (_, i) => `1.3.6.1.2.1.2.2.1.${1 + Math.floor(i / 100)}.${1 + (i % 100)}|2|${i}`,
);
const recording = parseRecording([`${name}|4|true`, ...rows].join('\n'));
const manager = createManager();
after(() => manager.close());

function targetAt(port: number) {
  return { address: '127.0.0.1', port, version: '3', user, timeoutMs: 1_000, retries: 1 } as const;
}

/** A proxy between manager and agent. `forge` may send datagrams before each reply. */
async function startForger(
  agentPort: number,
  forge: (reply: Buffer, message: V3Message) => readonly Buffer[],
) {
  const [front, back] = [createSocket('udp4'), createSocket('udp4')];
  let client: RemoteInfo | undefined;
  let requests = 0;
  front.on('message', (datagram, from) => {
    client = from;
    requests++;
    back.send(datagram, agentPort, '127.0.0.1');
  });
  back.on('message', (reply) => {
    const message = readV3Message(new BerReader(), reply);
    if (client === undefined || typeof message === 'string') return;
    for (const each of [...forge(reply, message), reply]) front.send(each, client.port, client.address);
  });
  for (const socket of [front, back]) {
    socket.bind(0, '127.0.0.1');
    await once(socket, 'listening');
  }
  return {
    port: front.address().port,
    get requests() {
      return requests;
    },
    async [Symbol.asyncDispose]() {
      for (const socket of [front, back]) {
        socket.close();
        await once(socket, 'close');
      }
    },
  };
}

/** Messages that an attacker can write who sees the traffic but has no key. */
function forgeInTheClear(
  message: V3Message,
  type: 'Response' | 'Report',
  oid: string,
  changes: { readonly user?: string; readonly flags?: number; readonly engineId?: Buffer } = {},
): Buffer {
  const writer = new BerWriter();
  writePdu(writer, {
    type,
    requestId: message.messageId,
    errorStatus: 0,
    errorIndex: 0,
    varbinds: [
      type === 'Report'
        ? { oid, type: 'Counter32', value: 1 }
        : { oid, type: 'OctetString', value: Buffer.from('forged') },
    ],
  });
  const engineId = changes.engineId ?? message.octets.subarray(message.engineIdStart, message.engineIdEnd);
  return new V3Codec().seal({
    messageId: message.messageId,
    flags: changes.flags ?? 0,
    engineId,
    boots: message.boots,
    time: message.time,
    userName: Buffer.from(changes.user ?? user.name),
    keys: {},
    contextEngineId: engineId,
    contextName: Buffer.alloc(0),
    pdu: writer.toBuffer(),
  });
}

/** The message with another MAC of `length` octets. */
function withMac(reply: Buffer, message: V3Message, length: number): Buffer {
  const { octets } = message;
  const view = (start: number, end: number) => octets.subarray(start, end);
  const reader = new BerReader().open(octets);
  reader.enter(berTag.sequence);
  reader.readInteger(berTag.integer);
  reader.expectHeader(berTag.sequence);
  const headerEnd = reader.position + reader.length;
  const writer = new BerWriter();
  writer.octets(berTag.octetString, view(message.dataStart, message.dataEnd));
  const mark = writer.mark();
  writer.octets(berTag.octetString, view(message.saltStart, message.saltEnd));
  writer.octets(berTag.octetString, Buffer.alloc(length, 7));
  writer.octets(berTag.octetString, view(message.userStart, message.userEnd));
  writer.integer(message.time);
  writer.integer(message.boots);
  writer.octets(berTag.octetString, view(message.engineIdStart, message.engineIdEnd));
  writer.header(berTag.sequence, mark);
  writer.header(berTag.octetString, mark);
  writer.raw(view(reply.indexOf(Buffer.from([2, 1, 3])), headerEnd));
  writer.header(berTag.sequence, 0);
  return writer.toBuffer();
}

function flip(reply: Buffer, at: number): Buffer {
  const copy = Buffer.from(reply);
  copy[at]! ^= 1;
  return copy;
}

const forgeries: Readonly<Record<string, (reply: Buffer, message: V3Message) => readonly Buffer[]>> = {
  'an unencrypted Response (downgrade)': (_, m) => [forgeInTheClear(m, 'Response', name)],
  'a Response with an invalid signature': (_, m) => [
    forgeInTheClear(m, 'Response', name, { flags: messageFlag.auth }),
  ],
  'another user': (_, m) => [forgeInTheClear(m, 'Response', name, { user: 'mallory' })],
  'another engine': (_, m) => [
    forgeInTheClear(m, 'Response', name, { engineId: Buffer.from('8000000001020304', 'hex') }),
  ],
  'a MAC of 0, 1, 11, 12, 13 and 32 octets': (r, m) =>
    [0, 1, 11, 12, 13, 32].map((length) => withMac(r, m, length)),
  'a flipped bit in the MAC': (r, m) => (m.macEnd === m.macStart ? [] : [flip(r, m.macStart)]),
  'a flipped bit in the ciphertext': (r, m) => (m.isEncrypted ? [flip(r, m.dataEnd - 1)] : []),
  'another message ID': (r, m) => [flip(r, m.engineIdStart - 12)],
  'Reports of an unknown engine': (_, m) => [
    forgeInTheClear(m, 'Report', reportOids.unknownEngineIDs, {
      engineId: Buffer.from('80000000010203', 'hex'),
    }),
  ],
  'unencrypted Reports of every kind': (_, m) =>
    Object.values(reportOids).flatMap((oid) => [
      forgeInTheClear(m, 'Report', oid),
      forgeInTheClear(m, 'Report', oid),
    ]),
};

describe('SNMPv3 sessions', () => {
  it('discover the engine, and read with get, walk and poll', async () => {
    await using agent = await startReplayAgent({ recording, users: [user] });
    const session = manager.open(targetAt(agent.port));
    assert.equal(String((await session.get([name]))[0]?.value), 'true');
    let varbinds = 0;
    for await (const array of session.walk('1.3.6.1.2.1.2.2')) varbinds += array.length;
    assert.equal(varbinds, 300);
    const polled = createPollColumns(1);
    const request = compileGet({ dialect: { version: '3' }, oids: [name], firstSlot: 0 });
    assert.equal((await session.poll([request], polled)).values, 1);
    assert.equal(polled.texts[0], 'true');
  });

  for (const [title, forge] of Object.entries(forgeries)) {
    it(`ignore ${title}`, async () => {
      await using agent = await startReplayAgent({ recording, users: [user] });
      await manager.open(targetAt(agent.port)).get([name]);
      await using forger = await startForger(agent.port, forge);
      const session = manager.open(targetAt(forger.port));
      const before = manager.counters().timeouts;
      for (let i = 0; i < 3; i++) assert.equal(String((await session.get([name]))[0]?.value), 'true');
      assert.equal(manager.counters().timeouts, before);
      assert.equal(manager.counters().internalFaults, 0);
      assert.ok(forger.requests <= 12, `${forger.requests} requests: no flood on demand`);
    });
  }

  it('send at most one additional request after a Report', async () => {
    await using agent = await startReplayAgent({ recording, users: [user] });
    await using forger = await startForger(agent.port, (_, m) =>
      Array.from({ length: 20 }, () => forgeInTheClear(m, 'Report', reportOids.notInTimeWindows)),
    );
    const session = manager.open(targetAt(forger.port));
    await session.get([name]);
    const before = forger.requests;
    assert.equal(String((await session.get([name]))[0]?.value), 'true');
    assert.ok(forger.requests - before <= 3);
  });

  it('report a wrong passphrase at the deadline, not before', async () => {
    await using agent = await startReplayAgent({ recording, users: [user] });
    const wrong = {
      ...targetAt(agent.port),
      timeoutMs: 100,
      user: { ...user, authPassphrase: 'wrong-passphrase' },
    };
    const started = performance.now();
    await assert.rejects(manager.open(wrong).get([name]), { code: 'SNMP_WRONG_DIGEST' });
    assert.ok(performance.now() - started > 150, 'two attempts of 100 ms');
    const unknown = { ...targetAt(agent.port), timeoutMs: 100, user: { ...user, name: 'bob' } };
    await assert.rejects(manager.open(unknown).get([name]), { code: 'SNMP_UNKNOWN_USER', message: /bob/ });
  });

  it('put no secret into an error', async () => {
    await using agent = await startReplayAgent({ recording, users: [user] });
    const wrong = {
      ...targetAt(agent.port),
      timeoutMs: 60,
      user: { ...user, authPassphrase: 'wrong-passphrase' },
    };
    const error = await manager
      .open(wrong)
      .get([name])
      .catch((caught) => caught);
    assert.doesNotMatch(JSON.stringify(error) + error.message + error.stack, /wrong-passphrase|pancakes/);
    assert.throws(() => manager.open({ ...wrong, user: { ...user, authPassphrase: '' } }), {
      code: 'SNMP_BAD_TARGET',
    });
  });

  it('continue after a restart of the agent', async () => {
    await using agent = await startReplayAgent({ recording, users: [user] });
    const session = manager.open(targetAt(agent.port));
    await session.get([name]);
    agent.reboot();
    assert.equal(String((await session.get([name]))[0]?.value), 'true');
  });
});
