import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import fc from 'fast-check';
import { compileAddress } from '../../../src/output-kit/lines/address-template.ts';
import { createTestBatch } from '../../../src/testing/index.ts';

const mqtt = { option: 'topic', reserved: '+#/' };
const device = (name: string) => ({ name, ip: '192.0.2.1', port: 161 });

describe('compileAddress', () => {
  it('inserts values of the batch, its tags and the row', () => {
    const address = compileAddress('a/{device}/{ip}/{port}/{record}/{plan}/{tag:site}/{key}', mqtt);
    const batch = createTestBatch({ tags: { site: 'berlin' } });
    assert.equal(
      address(batch, '7'),
      'a/router-1/192.0.2.1/161/TEST-MIB::testEntry/TEST-MIB::testEntry@60/berlin/7',
    );
  });

  it('escapes reserved and invalid characters', () => {
    const address = compileAddress('{device}', mqtt);
    const named = (name: string) => address(createTestBatch({ device: device(name) }), '');
    assert.equal(named('a/+/#'), 'a%2F%2B%2F%23');
    assert.equal(named('$SYS %'), '%24SYS%20%25');
    assert.equal(named('\0\r\n\u2028\ud800'), '%00%0D%0A%E2%80%A8%EF%BF%BD');
    assert.equal(named('Zürich'), 'Zürich');
    assert.equal(named(''), '%');
  });

  it('makes one part of limited length of any device name, and different parts of different names', () => {
    const address = compileAddress('{device}', { option: 'subject', reserved: '.*>' });
    const named = (name: string) => address(createTestBatch({ device: device(name) }), '');
    const text = fc.string({ unit: 'binary', maxLength: 400 });
    fc.assert(
      fc.property(text, text, (a, b) => {
        assert.match(named(a), /^[^\s.*>\p{C}]+$/u);
        assert.ok(named(a).length <= 9 * 128);
        if (a !== b) assert.notEqual(named(a), named(b));
      }),
    );
  });

  it('rejects an unknown placeholder', () => {
    assert.throws(() => compileAddress('x.{host}', { option: 'subject', reserved: '.' }), {
      code: 'PLACEHOLDER_UNKNOWN',
      message: /"subject" contains the unknown placeholder \{host\}.*\{device\}, .*\{tag:NAME\}/,
    });
  });
});
