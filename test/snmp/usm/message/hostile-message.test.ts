import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import fc from 'fast-check';
import { capturedMessages } from '../captured-messages.ts';
import { SecuredPair } from '../secured-pair.ts';

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
  it('never throws and never passes, on either side', () => {
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

  it('of noise never throws', () => {
    const pair = new SecuredPair();
    fc.assert(
      fc.property(fc.uint8Array({ maxLength: 100 }), (noise) => {
        assert.equal(typeof pair.security.read(Buffer.from(noise)), 'string');
        assert.equal(pair.agent.receive(Buffer.from(noise)).kind, 'dropped');
      }),
      { numRuns: 5000 },
    );
  });

  it('may have octets behind it, which no MAC covers', () => {
    const pair = new SecuredPair();
    pair.discover();
    const reply = pair.exchange();
    pair.assertOpens(Buffer.concat([reply, Buffer.from('trailing')]));
  });
});
