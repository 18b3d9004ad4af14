import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { SaltSource } from '../../../../src/snmp/usm/crypto/salt-source.ts';

describe('SaltSource', () => {
  it('increments across every octet boundary', () => {
    const salts = new SaltSource(Buffer.from('00000000fffffffe', 'hex'));
    const taken = [salts.take(), salts.take(), salts.take()].map((salt) => salt.toString('hex'));
    assert.deepEqual(taken, ['00000000fffffffe', '00000000ffffffff', '0000000100000000']);
  });

  it('restarts at zero after the largest salt', () => {
    const salts = new SaltSource(Buffer.alloc(8, 0xff));
    salts.take();
    assert.equal(salts.take().toString('hex'), '0000000000000000');
  });

  it('returns no salt twice', () => {
    const salts = new SaltSource(Buffer.from('00000000fffffff0', 'hex'));
    const seen = new Set(Array.from({ length: 100_000 }, () => salts.take().toString('hex')));
    assert.equal(seen.size, 100_000);
  });
});
