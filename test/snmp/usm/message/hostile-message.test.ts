import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import fc from 'fast-check';
import { MessageMac } from '../../../../src/snmp/usm/crypto/message-mac.ts';
import type { V3Message } from '../../../../src/snmp/usm/message/v3-message.ts';
import { localizeUser, prepareUser } from '../../../../src/snmp/usm/user/security-user.ts';
import { capturedMessages } from '../captured-messages.ts';
import { authPrivUser, engineId, masterKeys, SecuredPair } from '../secured-pair.ts';

const originals = capturedMessages.map((captured) => Buffer.from(captured.message, 'hex'));

const mutated = fc
  .record({
    original: fc.constantFrom(...originals),
    edits: fc.array(fc.tuple(fc.nat(), fc.nat(255)), { maxLength: 6 }),
    cut: fc.option(fc.nat()),
    tail: fc.uint8Array({ maxLength: 8 }),
  })
  .map(({ original, edits, cut, tail }) => {
    const datagram = Buffer.concat([original, tail]);
    for (const [at, octet] of edits) datagram[at % datagram.length] = octet;
    return cut === null ? datagram : datagram.subarray(0, cut % (datagram.length + 1));
  });

describe('a hostile message', () => {
  it('is rejected without an exception, on both sides', () => {
    const pair = new SecuredPair();
    pair.discover();
    fc.assert(
      fc.property(mutated, (datagram) => {
        assert.notEqual(pair.agent.receive(Buffer.from(datagram)).kind, 'request');
        const message = pair.security.read(Buffer.from(datagram));
        if (typeof message === 'string') return;
        const opened = pair.security.open(pair.peer, message, pair.nowMs);
        if (typeof opened !== 'string') assert.equal(opened.kind, 'report');
      }),
      { numRuns: 20_000 },
    );
  });

  it('causes no exception after it is decrypted, even with a valid signature', () => {
    const pair = new SecuredPair();
    pair.discover();
    const reply = pair.exchange();
    const whole = pair.security.read(reply) as V3Message;
    const { macStart, dataStart, dataEnd } = whole;
    const mac = new MessageMac();
    const { protocol, key } = localizeUser(prepareUser(authPrivUser, masterKeys), engineId).auth!;
    const edits = fc.array(fc.tuple(fc.nat(dataEnd - dataStart - 1), fc.nat(255)), {
      minLength: 1,
      maxLength: 4,
    });
    const outcomes = new Set<string>();
    fc.assert(
      fc.property(edits, (changes) => {
        const forged = Buffer.from(reply);
        for (const [at, octet] of changes) forged[dataStart + at] = octet;
        mac.sign(protocol, key, forged, macStart);
        const message = pair.security.read(forged);
        assert.ok(typeof message !== 'string');
        const opened = pair.security.open(pair.peer, message, pair.nowMs);
        outcomes.add(typeof opened === 'string' ? opened : opened.kind);
      }),
      { numRuns: 20_000 },
    );
    assert.ok(
      outcomes.has('decryption') && outcomes.has('context') && outcomes.has('pduType'),
      [...outcomes].join(),
    );
  });

  it('of random octets causes no exception', () => {
    const pair = new SecuredPair();
    fc.assert(
      fc.property(fc.uint8Array({ maxLength: 100 }), (noise) => {
        assert.equal(typeof pair.security.read(Buffer.from(noise)), 'string');
        assert.equal(pair.agent.receive(Buffer.from(noise)).kind, 'dropped');
      }),
      { numRuns: 5000 },
    );
  });

  it('may be followed by octets that no MAC covers', () => {
    const pair = new SecuredPair();
    pair.discover();
    const reply = pair.exchange();
    pair.assertOpens(Buffer.concat([reply, Buffer.from('trailing')]));
  });
});
