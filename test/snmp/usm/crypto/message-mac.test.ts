import assert from 'node:assert/strict';
import { createHmac, randomBytes } from 'node:crypto';
import { describe, it } from 'node:test';
import { authProtocols } from '../../../../src/model/v3-protocols.ts';
import { MessageMac } from '../../../../src/snmp/usm/crypto/message-mac.ts';

const macStart = 40;
const mac = new MessageMac();

describe('MessageMac', () => {
  for (const [name, auth] of Object.entries(authProtocols)) {
    const key = randomBytes(auth.digestBytes);
    const macEnd = macStart + auth.macBytes;

    it(`writes the first octets of an HMAC over the message with a zeroed MAC field (${name})`, () => {
      const message = randomBytes(200);
      const zeroed = Buffer.from(message).fill(0, macStart, macEnd);
      const expected = createHmac(auth.hash, key).update(zeroed).digest().subarray(0, auth.macBytes);
      mac.sign(auth, key, message, macStart);
      assert.deepEqual(message.subarray(macStart, macEnd), expected);
      assert.deepEqual(Buffer.from(message).fill(0, macStart, macEnd), zeroed);
    });

    it(`accepts its own MAC and does not change the message (${name})`, () => {
      const message = randomBytes(200);
      mac.sign(auth, key, message, macStart);
      const before = Buffer.from(message);
      assert.equal(mac.verify(auth, key, message, macStart, macEnd), true);
      assert.deepEqual(message, before);
    });

    it(`rejects every other length, such as 0, 1, 11 and 13 (${name})`, () => {
      const message = randomBytes(200);
      mac.sign(auth, key, message, macStart);
      for (let length = 0; length <= 64; length++) {
        const verified = mac.verify(auth, key, message, macStart, macStart + length);
        assert.equal(verified, length === auth.macBytes, `${length} octets`);
      }
    });

    it(`rejects a message with any bit flipped (${name})`, () => {
      const message = randomBytes(120);
      mac.sign(auth, key, message, macStart);
      for (let bit = 0; bit < message.length * 8; bit++) {
        message[bit >> 3]! ^= 1 << (bit & 7);
        assert.equal(mac.verify(auth, key, message, macStart, macEnd), false, `bit ${bit}`);
        message[bit >> 3]! ^= 1 << (bit & 7);
      }
    });
  }
});
