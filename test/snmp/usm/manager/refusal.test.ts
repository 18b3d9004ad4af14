import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { authProtocols } from '../../../../src/model/v3-protocols.ts';
import { type OutgoingMessage, V3Codec } from '../../../../src/snmp/usm/message/v3-codec.ts';
import { localizeUser, prepareUser } from '../../../../src/snmp/usm/user/security-user.ts';
import { authPrivUser, engineId, masterKeys, responsePdu, SecuredPair } from '../secured-pair.ts';

const codec = new V3Codec();

describe('a reply is rejected', () => {
  it('when any bit of it is flipped', () => {
    const pair = readyPair();
    const reply = pair.agent.respond(pair.ask(), responsePdu);
    for (let bit = 0; bit < reply.length * 8; bit++) {
      const forged = Buffer.from(reply);
      forged[bit >> 3]! ^= 1 << (bit & 7);
      const message = pair.security.read(forged);
      if (typeof message === 'string') continue;
      const opened = pair.security.open(pair.peer, message, pair.nowMs);
      assert.equal(typeof opened, 'string', `bit ${bit} passed as ${JSON.stringify(opened)}`);
    }
    pair.assertOpens(reply);
  });

  for (const macBytes of [0, 1, 11, 13]) {
    it(`when its MAC has ${macBytes} octets`, () => {
      const { forge, pair } = forger();
      const auth = { protocol: { ...authProtocols.sha256, macBytes }, key: userKeys.auth!.key };
      assert.equal(pair.open(forge({ keys: { ...userKeys, auth } })), 'macLength');
    });
  }

  it('when its security level is lower, before it is decoded', () => {
    const { forge, pair } = forger();
    assert.equal(pair.open(forge({ flags: 0 })), 'securityLevel');
    assert.equal(pair.open(forge({ flags: 1 })), 'securityLevel');
  });

  it('when its security level is higher than the request’s, or invalid', () => {
    const settings = { ...authPrivUser, privProtocol: undefined, privPassphrase: undefined };
    const pair = new SecuredPair(settings);
    pair.discover();
    assert.equal(pair.open(forger().forge({})), 'securityLevel');
    assert.equal(pair.open(forger().forge({ flags: 2 })), 'securityLevel');
  });

  it('when its engine, its user or its context differs', () => {
    const { forge, pair } = forger();
    assert.equal(pair.open(forge({ engineId: Buffer.from('800000000001', 'hex') })), 'engineId');
    assert.equal(pair.open(forge({ userName: Buffer.from('operatoR') })), 'user');
    assert.equal(pair.open(forge({ userName: Buffer.alloc(0) })), 'user');
    assert.equal(pair.open(forge({ contextName: Buffer.from('another') })), 'context');
    assert.equal(pair.open(forge({ contextEngineId: Buffer.from('800000000001', 'hex') })), 'context');
    assert.equal(pair.open(forge({ contextEngineId: Buffer.alloc(0) })), 'context');
  });

  it('when its keys belong to another engine or passphrase', () => {
    const { forge, pair } = forger();
    const others = localizeUser(user, Buffer.from('800000000001', 'hex'));
    assert.equal(pair.open(forge({ keys: others })), 'mac');
    assert.equal(pair.open(forge({ keys: { ...userKeys, priv: others.priv! } })), 'decryption');
  });

  it('when it is not a Response', () => {
    const { forge, pair } = forger();
    for (const tag of [0xa0, 0xa1, 0xa3, 0xa5, 0xa6, 0xa7]) {
      const pdu = Buffer.from(responsePdu);
      pdu[0] = tag;
      assert.equal(pair.open(forge({ pdu })), 'pduType');
    }
  });

  it('when it is replayed after the window of 150 seconds', () => {
    const pair = readyPair();
    const old = pair.exchange();
    pair.pass(150);
    pair.assertOpens(old);
    pair.pass(1);
    assert.equal(pair.open(old), 'timeWindow');
  });

  it('when it is replayed after a restart of the engine', () => {
    const pair = readyPair();
    const old = pair.exchange();
    pair.boots = 2;
    pair.time = 0;
    pair.resynchronize();
    pair.exchange();
    assert.equal(pair.open(old), 'timeWindow');
  });

  it('when it is outside the time window, before it is decrypted', () => {
    const { forge, pair } = forger();
    const others = localizeUser(user, Buffer.from('800000000001', 'hex'));
    const undecryptable = forge({ boots: 0, keys: { ...userKeys, priv: others.priv! } });
    assert.equal(pair.open(undecryptable), 'timeWindow');
  });
});

const user = prepareUser(authPrivUser, masterKeys);
const userKeys = localizeUser(user, engineId);

function readyPair(): SecuredPair {
  const pair = new SecuredPair();
  pair.discover();
  pair.exchange();
  return pair;
}

/** Writes replies that are correct except for the overridden fields. */
function forger() {
  const pair = readyPair();
  const forge = (override: Partial<OutgoingMessage>) =>
    codec.seal({
      messageId: 1,
      flags: 3,
      engineId,
      boots: pair.boots,
      time: pair.time,
      userName: user.name,
      keys: userKeys,
      salt: Buffer.alloc(8, 7),
      contextEngineId: engineId,
      contextName: Buffer.alloc(0),
      pdu: responsePdu,
      ...override,
    });
  pair.assertOpens(forge({}));
  return { forge, pair };
}
