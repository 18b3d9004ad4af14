import assert from 'node:assert/strict';
import { createHash } from 'node:crypto';
import { describe, it } from 'node:test';
import fc from 'fast-check';
import {
  type AuthProtocolName,
  authProtocols,
  type PrivProtocolName,
  privProtocols,
} from '../../../../src/model/v3-protocols.ts';
import { deriveMasterKey, extendKey, localizeKey } from '../../../../src/snmp/usm/crypto/key-derivation.ts';

const engineId = Buffer.from('000000000000000000000002', 'hex');

/** RFC 3414 §A.3, and the same password and engine for the digests of RFC 7860. */
const localized: Readonly<Record<AuthProtocolName, string>> = {
  md5: '526f5eed9fcce26f8964c2930787d82b',
  sha: '6695febc9288e36282235fc7151f128497b38f3f',
  sha224: '0bd8827c6e29f8065e08e09237f177e410f69b90e1782be682075674',
  sha256: '8982e0e549e866db361a6b625d84cccc11162d453ee8ce3a6445c2d6776f0f8b',
  sha384: '3b298f16164a11184279d5432bf169e2d2a48307de02b3d3f7e2b4f36eb6f0455a53689a3937eea07319a633d2ccba78',
  sha512:
    '22a5a36cedfcc085807a128d7bc6c2382167ad6c0dbc5fdff856740f3d84c099ad1ea87a8db096714d9788bd544047c9021e4229ce27e4c0a69250adfcffbb0b',
};

const extended: readonly [AuthProtocolName, PrivProtocolName, string][] = [
  ['sha', 'aes256c', '6695febc9288e36282235fc7151f128497b38f3f9b8b6d78936ba6e7d19dfd9c'],
  ['sha', 'aes256', '6695febc9288e36282235fc7151f128497b38f3f505e07eb9af25568fa1f5dbe'],
  ['md5', 'aes256c', '526f5eed9fcce26f8964c2930787d82b79eff44a90650ee0a3a40abfac5acc12'],
  ['md5', 'aes256', '526f5eed9fcce26f8964c2930787d82bfa24a92467426c2f4b09192be10dfaec'],
];

describe('key derivation', () => {
  for (const [name, expected] of Object.entries(localized)) {
    it(`returns the published localized key of ${name}`, () => {
      assert.equal(keyOf(name as AuthProtocolName).toString('hex'), expected);
    });
  }

  for (const [auth, priv, expected] of extended) {
    it(`returns the published key of ${auth} extended for ${priv}`, () => {
      const key = extendKey(authProtocols[auth], privProtocols[priv], keyOf(auth), engineId);
      assert.equal(key.toString('hex'), expected);
    });
  }

  it('returns the master keys of RFC 3414 §A.3', () => {
    const md5 = deriveMasterKey(authProtocols.md5, Buffer.from('maplesyrup'));
    const sha = deriveMasterKey(authProtocols.sha, Buffer.from('maplesyrup'));
    assert.equal(md5.toString('hex'), '9faf3283884e92834ebc9847d8edd963');
    assert.equal(sha.toString('hex'), '9fb5cc0381497b3793528939ff788d5d79145211');
  });

  it('repeats a secret of any length to exactly one mebibyte', () => {
    fc.assert(
      fc.property(fc.uint8Array({ minLength: 1, maxLength: 200 }), (secret) => {
        const stretched = Buffer.alloc(1_048_576, secret);
        const expected = createHash('sha256').update(stretched).digest();
        assert.deepEqual(deriveMasterKey(authProtocols.sha256, secret), expected);
      }),
      { numRuns: 40 },
    );
  });

  it('truncates a digest that is longer than the cipher key', () => {
    const key = extendKey(authProtocols.sha512, privProtocols.aes, keyOf('sha512'), engineId);
    assert.equal(key.toString('hex'), localized.sha512.slice(0, 32));
  });
});

function keyOf(name: AuthProtocolName): Buffer {
  const auth = authProtocols[name];
  return localizeKey(auth, deriveMasterKey(auth, Buffer.from('maplesyrup')), engineId);
}
