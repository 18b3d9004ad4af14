import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { BerReader } from '../../../src/snmp/codec/ber-reader.ts';
import { SaltSource } from '../../../src/snmp/usm/crypto/salt-source.ts';
import { AuthoritativeEngine } from '../../../src/snmp/usm/engine/authoritative-engine.ts';
import { EngineClock } from '../../../src/snmp/usm/engine/engine-clock.ts';
import { EngineTable } from '../../../src/snmp/usm/engine/engine-table.ts';
import { SecurityPeer } from '../../../src/snmp/usm/manager/security-peer.ts';
import { UserSecurity } from '../../../src/snmp/usm/manager/user-security.ts';
import { readScopedPdu, type ScopedPdu } from '../../../src/snmp/usm/message/scoped-pdu.ts';
import { V3Codec } from '../../../src/snmp/usm/message/v3-codec.ts';
import type { V3Message } from '../../../src/snmp/usm/message/v3-message.ts';
import { localizeUser } from '../../../src/snmp/usm/user/security-user.ts';
import {
  type CapturedMessage,
  capturedMessages,
  securedMessages,
  titleOf,
  userOf,
} from './captured-messages.ts';

const reader = new BerReader();
const codec = new V3Codec();

describe('messages from net-snmp', () => {
  it('are 96, of which half are encrypted', () => {
    assert.equal(capturedMessages.length, 96);
    assert.equal(securedMessages.length, 48);
  });

  for (const captured of capturedMessages) {
    it(`are read field by field: ${titleOf(captured)}`, () => {
      const message = readMessage(captured);
      const { octets } = message;
      assert.equal(message.messageId, captured.msgID);
      assert.equal(message.flags, captured.msgFlags);
      assert.equal(message.securityModel, 3);
      assert.equal(message.boots, captured.engineBoots);
      assert.equal(message.time, captured.engineTime);
      assert.equal(octets.toString('hex', message.engineIdStart, message.engineIdEnd), captured.engineID);
      assert.equal(octets.toString('utf8', message.userStart, message.userEnd), captured.userName);
      assert.equal(octets.toString('hex', message.macStart, message.macEnd), captured.authParams);
      assert.equal(octets.toString('hex', message.saltStart, message.saltEnd), captured.privParams);
    });

    it(`are reproduced octet for octet: ${titleOf(captured)}`, () => {
      const message = readMessage(captured);
      const scoped = scopedPduOf(captured, message);
      const written = codec.seal({
        messageId: captured.msgID,
        flags: captured.msgFlags,
        engineId: Buffer.from(captured.engineID, 'hex'),
        boots: captured.engineBoots,
        time: captured.engineTime,
        userName: Buffer.from(captured.userName),
        keys: localizeUser(userOf(captured), Buffer.from(captured.engineID, 'hex')),
        salt: Buffer.from(captured.privParams, 'hex'),
        contextEngineId: scoped.octets.subarray(scoped.engineIdStart, scoped.engineIdEnd),
        contextName: scoped.octets.subarray(scoped.contextStart, scoped.contextEnd),
        pdu: scoped.octets.subarray(scoped.pduStart, scoped.pduEnd),
      });
      assert.equal(written.toString('hex'), captured.message);
    });
  }

  for (const captured of securedMessages) {
    it(`have the derived keys: ${titleOf(captured)}`, () => {
      const keys = localizeUser(userOf(captured), Buffer.from(captured.engineID, 'hex'));
      assert.equal(keys.auth?.key.toString('hex'), captured.localizedAuthKey);
      assert.equal(keys.priv?.key.toString('hex'), captured.localizedPrivKey);
    });

    it(`are accepted by their receiver: ${titleOf(captured)}`, () => {
      const { octets, start, end } = openCaptured(captured);
      const plain = Buffer.from(captured.scopedPduPlain!, 'hex');
      const scoped = readScopedPdu(reader, plain, 0, plain.length) as ScopedPdu;
      assert.deepEqual(octets.subarray(start, end), plain.subarray(scoped.pduStart, scoped.pduEnd));
    });
  }

  it('are answered as by snmpd: a discovery by a Report', () => {
    let clock = { boots: 0, time: 0 };
    const engine = new AuthoritativeEngine({
      engineId: Buffer.from('80001f8804736e6d70636f6c6c656374', 'hex'),
      users: [],
      salts: new SaltSource(Buffer.alloc(8)),
      clock: () => clock,
    });
    let discoveries = 0;
    capturedMessages.forEach((captured, i) => {
      if (captured.msgFlags !== 4) return;
      const answer = capturedMessages[i + 1]!;
      clock = { boots: answer.engineBoots, time: answer.engineTime };
      const received = engine.receive(Buffer.from(captured.message, 'hex'));
      assert.ok(received.kind === 'report');
      assert.equal(received.reply.toString('hex'), answer.message);
      discoveries++;
    });
    assert.equal(discoveries, 24);
  });
});

function readMessage(captured: CapturedMessage): V3Message {
  const message = codec.read(Buffer.from(captured.message, 'hex'));
  assert.ok(typeof message !== 'string', `refused: ${message}`);
  return message;
}

function scopedPduOf(captured: CapturedMessage, message: V3Message): ScopedPdu {
  const plain = captured.scopedPduPlain;
  const octets = plain === undefined ? message.octets : Buffer.from(plain, 'hex');
  const scoped =
    plain === undefined
      ? readScopedPdu(reader, octets, message.dataStart, message.dataEnd)
      : readScopedPdu(reader, octets, 0, octets.length);
  assert.ok(typeof scoped !== 'string', `refused: ${scoped}`);
  return scoped;
}

function openCaptured(captured: CapturedMessage): { octets: Buffer; start: number; end: number } {
  const engineId = Buffer.from(captured.engineID, 'hex');
  const { engineBoots: boots, engineTime: time } = captured;
  const salts = new SaltSource(Buffer.alloc(8));
  const datagram = Buffer.from(captured.message, 'hex');
  if (captured.dir === 'request') {
    const users = [userOf(captured)];
    const received = new AuthoritativeEngine({
      engineId,
      users,
      salts,
      clock: () => ({ boots, time }),
    }).receive(datagram);
    assert.ok(received.kind === 'request', `refused: ${JSON.stringify(received)}`);
    return received;
  }
  const engines = new EngineTable();
  engines.confirm('agent', engineId, new EngineClock(boots, time, 0), 0);
  const security = new UserSecurity(salts);
  const message = security.read(datagram);
  assert.ok(typeof message !== 'string', `refused: ${message}`);
  const peer = new SecurityPeer({ address: 'agent', user: userOf(captured) }, engines);
  const opened = security.open(peer, message, 0);
  assert.ok(typeof opened !== 'string' && opened.kind === 'response', `refused: ${JSON.stringify(opened)}`);
  return opened;
}
