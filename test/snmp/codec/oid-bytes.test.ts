import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import fc from 'fast-check';
import { compareOids } from '../../../src/model/oid.ts';
import { compareOidBytes, decodeOid, encodeOid } from '../../../src/snmp/codec/oid-bytes.ts';
import { OidTextCache } from '../../../src/snmp/codec/oid-text-cache.ts';
import { countReads } from '../../support/counted-reads.ts';
import { anyOid } from '../support/arbitraries.ts';

describe('OID octets', () => {
  it('decode to the text they were encoded from, with and without the cache', () => {
    const cache = new OidTextCache();
    fc.assert(
      fc.property(anyOid, (oid) => {
        const octets = encodeOid(oid)!;
        assert.equal(decodeOid(octets), oid);
        assert.equal(cache.decode(octets, 0, octets.length), oid);
      }),
    );
  });

  it('decode the same when the cache has read them before, in any order', () => {
    const cache = new OidTextCache();
    // Some share a place in the cache: rows 4,096 apart, rows 97 apart in neighbouring columns, the same row in two tables.
    const row = fc.constantFrom(1, 98, 195, 4_097, 4_194, 0xfff_ffff, 0x1000_0000);
    const repeatedOid = fc.tuple(fc.nat(1), fc.nat(3), row).map((arcs) => `1.3.6.1.${arcs.join('.')}`);
    fc.assert(
      fc.property(fc.array(repeatedOid, { minLength: 20, maxLength: 60 }), (oids) => {
        for (const oid of oids) assert.equal(cache.decode(encodeOid(oid)!, 0, encodeOid(oid)!.length), oid);
      }),
    );
  });

  it('have the order of the OIDs', () => {
    fc.assert(
      fc.property(anyOid, anyOid, fc.boolean(), (a, other, isRelated) => {
        const b = isRelated ? `${a}.${other}` : other;
        const x = encodeOid(a)!;
        const y = encodeOid(b)!;
        assert.equal(
          Math.sign(compareOidBytes(x, 0, x.length, y, 0, y.length)),
          Math.sign(compareOids(a, b)),
        );
      }),
    );
  });

  it('encode the first two arcs at their limits', () => {
    for (const [octets, text] of [
      [[0], '0.0'],
      [[39], '0.39'],
      [[40], '1.0'],
      [[79], '1.39'],
      [[80], '2.0'],
      [[0x81, 0x34], '2.100'],
      [[0x90, 0x80, 0x80, 0x80, 0x4f], '2.4294967295'],
      [[], '0.0'],
    ] as const) {
      assert.equal(decodeOid(Uint8Array.from(octets)), text);
    }
    assert.equal(encodeOid('0.40'), undefined);
    assert.equal(encodeOid('1.40'), undefined);
    assert.equal(encodeOid('3.1'), undefined);
    assert.deepEqual(encodeOid('1'), Buffer.from([40]));
  });

  it('are rejected with an arc above 2^32-1, an arc without an end, or 129 arcs', () => {
    const cache = new OidTextCache();
    const refused = [
      [0x2b, 0x90, 0x80, 0x80, 0x80, 0x00],
      [0x2b, 0xff, 0xff, 0xff, 0xff, 0xff, 0xff, 0xff, 0xff, 0x7f],
      [0x2b, 0x86],
      [0x86],
      Array(128).fill(1),
    ];
    for (const octets of refused) {
      assert.equal(decodeOid(Uint8Array.from(octets)), undefined);
      assert.equal(cache.decode(Uint8Array.from(octets), 0, octets.length), undefined);
    }
    assert.equal(decodeOid(Uint8Array.from(Array(127).fill(1)))?.split('.').length, 128);
    assert.equal(decodeOid(Uint8Array.of(0x2b, 0x8f, 0xff, 0xff, 0xff, 0x7f)), '1.3.4294967295');
  });

  it('are rejected by the cache when an arc is longer than necessary, at any position', () => {
    const cache = new OidTextCache();
    const octets = [0x2b, 6, 1];
    assert.equal(cache.decode(Uint8Array.from(octets), 0, 3), '1.3.6.1');
    for (let at = 0; at <= 2; at++) {
      const padded = Uint8Array.from(octets.toSpliced(at, 0, 0x80));
      assert.equal(decodeOid(padded), '1.3.6.1');
      assert.equal(cache.decode(padded, 0, 4), undefined);
    }
    assert.equal(cache.decode(Uint8Array.of(0x2b, 0x81, 0x80, 0x00), 0, 4), '1.3.16384');
  });

  it('are read at most twice each in hostile input', () => {
    for (const octet of [0xff, 0x80, 0x01]) {
      const { octets, reads } = countReads(new Uint8Array(100_000).fill(octet));
      assert.equal(decodeOid(octets), undefined);
      assert.ok(reads() > 0 && reads() <= 200_000, `${reads()} reads`);
    }
  });
});
