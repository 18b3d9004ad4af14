import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import fc from 'fast-check';
import { SharedTexts } from '../../../src/snmp/compiled/shared-texts.ts';

describe('shared texts', () => {
  it('are the text of their octets, whatever was read before', () => {
    const texts = new SharedTexts();
    // More texts than places, so that they take each other's.
    for (let round = 0; round < 2; round++) {
      for (let port = 0; port < 20_000; port++) {
        const octets = Buffer.from(`|Gi1/0/${port}|`);
        assert.equal(texts.find(octets, 1, octets.length - 1), `Gi1/0/${port}`);
      }
    }
    fc.assert(
      fc.property(fc.uint8Array({ maxLength: 200 }), (bytes) => {
        const octets = Buffer.from(bytes);
        assert.equal(texts.find(octets, 0, octets.length), octets.toString('latin1'));
      }),
    );
  });
});
