import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import fc from 'fast-check';
import { type PrivProtocolName, privProtocols } from '../../../../src/model/v3-protocols.ts';
import { ScopedPduCipher } from '../../../../src/snmp/usm/crypto/scoped-pdu-cipher.ts';

/** NIST SP 800-38A, F.3.13, F.3.15 and F.3.17: CFB128-AES128/192/256.Encrypt. */
const plain =
  '6bc1bee22e409f96e93d7e117393172aae2d8a571e03ac9c9eb76fac45af8e5130c81c46a35ce411e5fbc1191a0a52eff69f2445df4f9b17ad2b417be66c3710';
const published: readonly [section: string, PrivProtocolName, key: string, encrypted: string][] = [
  [
    'F.3.13',
    'aes',
    '2b7e151628aed2a6abf7158809cf4f3c',
    '3b3fd92eb72dad20333449f8e83cfb4ac8a64537a0b3a93fcde3cdad9f1ce58b26751f67a3cbb140b1808cf187a4f4dfc04b05357c5d1c0eeac4c66f9ff7f2e6',
  ],
  [
    'F.3.15',
    'aes192',
    '8e73b0f7da0e6452c810f32b809079e562f8ead2522c6b7b',
    'cdc80d6fddf18cab34c25909c99a417467ce7f7f81173621961a2b70171d3d7a2e1e8a1dd59b88b1c8e60fed1efac4c9c05f9f9ca9834fa042ae8fba584b09ff',
  ],
  [
    'F.3.17',
    'aes256',
    '603deb1015ca71be2b73aef0857d77811f352c073b6108d72d9810a30914dff4',
    'dc7e84bfda79164b7ecd8486985d386039ffed143b28b1c832113c6331e5407bdf10132415e54b92a13ed0a8267ae2f975a385741ab9cef82031623d55b1e471',
  ],
];
/** The IV of those vectors, 000102…0f, in its parts according to RFC 3826. */
const seed = { boots: 0x00010203, time: 0x04050607, salt: Buffer.from('08090a0b0c0d0e0f', 'hex') };

const cipher = new ScopedPduCipher();

describe('ScopedPduCipher', () => {
  for (const [section, name, key, encrypted] of published) {
    it(`returns the result published in NIST SP 800-38A ${section}`, () => {
      const priv = privProtocols[name];
      const keyOctets = Buffer.from(key, 'hex');
      const sealed = cipher.encrypt(priv, keyOctets, seed, Buffer.from(plain, 'hex'));
      assert.equal(sealed.toString('hex'), encrypted);
      const opened = cipher.decrypt(priv, keyOctets, seed, Buffer.from(encrypted, 'hex'));
      assert.equal(opened?.toString('hex'), plain);
    });
  }

  for (const [name, priv] of Object.entries(privProtocols)) {
    it(`decrypts what it encrypted with ${name}`, () => {
      const octets = (length: number) => fc.uint8Array({ minLength: length, maxLength: length });
      fc.assert(
        fc.property(
          octets(priv.keyBytes),
          octets(8),
          fc.uint8Array({ minLength: 1, maxLength: 300 }),
          fc.nat(0x7fffffff),
          (key, salt, message, boots) => {
            const vector = { boots, time: boots >>> 3, salt };
            const encrypted = cipher.encrypt(priv, key, vector, message);
            const decrypted = cipher.decrypt(priv, key, vector, encrypted)!;
            assert.deepEqual(new Uint8Array(decrypted.subarray(0, message.length)), message);
            assert.ok(decrypted.length - message.length < (name === 'des' ? 8 : 1));
          },
        ),
      );
    });
  }

  it('rejects a salt without eight octets and, for DES, an incomplete block', () => {
    const key = Buffer.alloc(16, 1);
    const short = { ...seed, salt: Buffer.alloc(7) };
    assert.equal(cipher.decrypt(privProtocols.aes, key, short, Buffer.alloc(16)), undefined);
    assert.equal(cipher.decrypt(privProtocols.des, key, short, Buffer.alloc(16)), undefined);
    assert.equal(cipher.decrypt(privProtocols.des, key, seed, Buffer.alloc(15)), undefined);
  });
});
