import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import fc from 'fast-check';
import { CommunityCodec, type CommunityMessage } from '../../../src/snmp/codec/community-message.ts';
import { decodeFaults, newDecodeTally } from '../../../src/snmp/codec/decode-fault.ts';
import { countReads } from '../../support/counted-reads.ts';
import { anyVarbind } from '../support/arbitraries.ts';

const anyMessage: fc.Arbitrary<CommunityMessage> = fc.record(
  {
    version: fc.constantFrom('1', '2c'),
    community: fc.uint8Array({ maxLength: 40 }).map((bytes) => Buffer.from(bytes)),
    pdu: fc.record(
      {
        type: fc.constantFrom(
          'GetRequest',
          'GetNextRequest',
          'Response',
          'GetBulkRequest',
          'Report',
          'TrapV2',
        ),
        requestId: fc.integer({ min: -0x80000000, max: 0x7fffffff }),
        errorStatus: fc.nat(18),
        errorIndex: fc.nat(2048),
        varbinds: fc.array(anyVarbind, { maxLength: 30 }),
      },
      { noNullPrototype: true },
    ),
  },
  { noNullPrototype: true },
);

const head = '02010104067075626c6963';
/** A response with `list` as the content of its VarBindList. */
function response(list: string): Buffer {
  const pdu = `020101020100020100${tlv('30', list)}`;
  return Buffer.from(tlv('30', head + tlv('a2', pdu)), 'hex');
}
function tlv(tag: string, content: string): string {
  const length = content.length / 2;
  return tag + (length < 128 ? '' : '82') + length.toString(16).padStart(length < 128 ? 2 : 4, '0') + content;
}
function varbind(value: string): Buffer {
  return response(tlv('30', `06032b0601${value}`));
}
function decodeValue(value: string): unknown {
  const message = new CommunityCodec().decode(varbind(value));
  return typeof message === 'string' ? message : message.pdu.varbinds[0];
}

describe('CommunityCodec', () => {
  it('decodes what it encoded', () => {
    const codec = new CommunityCodec();
    fc.assert(
      fc.property(anyMessage, (message) => {
        assert.deepEqual(codec.decode(codec.encode(message)), message);
      }),
    );
  });

  it('returns a message or a fault for any octets', () => {
    const codec = new CommunityCodec();
    fc.assert(
      fc.property(fc.uint8Array({ maxLength: 200 }), (bytes) => {
        const message = codec.decode(bytes);
        assert.ok(typeof message !== 'string' || decodeFaults.includes(message));
      }),
    );
  });

  it('reports every truncation as a fault', () => {
    const codec = new CommunityCodec();
    const whole = varbind('020105');
    for (let size = 0; size < whole.length; size++)
      assert.equal(codec.decode(whole.subarray(0, size)), 'length');
  });

  it('stops after a few octets of a deeply nested message', () => {
    for (const hostile of [Buffer.alloc(60_000, '3082', 'hex'), Buffer.alloc(60_000, 0x30)]) {
      const { octets, reads } = countReads(hostile);
      assert.equal(new CommunityCodec().decode(octets), 'length');
      assert.ok(reads() > 0 && reads() < 50, `${reads()} reads`);
    }
  });

  it('rejects indefinite, five-octet and overlong lengths, and accepts long forms', () => {
    assert.equal(decodeValue('0280'), 'length');
    assert.equal(decodeValue('02850000000001ff'), 'length');
    assert.equal(decodeValue('0284ffffffff01'), 'length');
    assert.equal(decodeValue('020201'), 'length');
    assert.deepEqual(decodeValue('028400000001ff'), { oid: '1.3.6.1', type: 'Integer32', value: -1 });
    assert.deepEqual(decodeValue('02810105'), { oid: '1.3.6.1', type: 'Integer32', value: 5 });
  });

  it('counts octets after the message and rejects them inside', () => {
    const tally = newDecodeTally();
    const codec = new CommunityCodec(tally);
    assert.equal(typeof codec.decode(Buffer.concat([varbind('020105'), Buffer.from([1, 2])])), 'object');
    assert.equal(tally.trailingBytes, 1);
    assert.equal(decodeValue('0201050500'), 'trailing');
  });

  it('accepts 2,048 varbinds and rejects one more', () => {
    const one = tlv('30', '06032b06010500');
    assert.equal(typeof new CommunityCodec().decode(response(one.repeat(2048))), 'object');
    assert.equal(new CommunityCodec().decode(response(one.repeat(2049))), 'varbindCount');
  });

  it('decodes integers of every length', () => {
    const integer = (value: number) => ({ oid: '1.3.6.1', type: 'Integer32', value });
    assert.deepEqual(decodeValue('0201ff'), integer(-1));
    assert.deepEqual(decodeValue('02050080000000'), integer(0x80000000));
    assert.deepEqual(decodeValue('0208ffffffffffffff80'), integer(-128));
    assert.equal(decodeValue('0209000000000000000001'), 'integer');
    const counter = (value: number) => ({ oid: '1.3.6.1', type: 'Counter32', value });
    assert.deepEqual(decodeValue('410500ffffffff'), counter(0xffffffff));
    assert.deepEqual(decodeValue('4104ffffffff'), counter(0xffffffff));
    assert.deepEqual(decodeValue('410180'), counter(128));
    const wide = (value: bigint) => ({ oid: '1.3.6.1', type: 'Counter64', value });
    assert.deepEqual(decodeValue('460900ffffffffffffffff'), wide(0xffffffffffffffffn));
    assert.deepEqual(decodeValue('4608ffffffffffffffff'), wide(0xffffffffffffffffn));
    assert.equal(decodeValue('460901ffffffffffffffff'), 'integer');
  });

  it('decodes an integer of no octets as 0 and counts it', () => {
    const tally = newDecodeTally();
    const message = new CommunityCodec(tally).decode(varbind('0200'));
    assert.ok(typeof message !== 'string' && message.pdu.varbinds[0]?.value === 0);
    assert.equal(tally.emptyIntegers, 1);
  });

  it('decodes numbers inside an Opaque as net-snmp writes them', () => {
    assert.deepEqual(decodeValue('44079f78043f800000'), { oid: '1.3.6.1', type: 'OpaqueFloat', value: 1 });
    assert.deepEqual(decodeValue('440b9f79083ff0000000000000'), {
      oid: '1.3.6.1',
      type: 'OpaqueDouble',
      value: 1,
    });
    assert.deepEqual(decodeValue('44049f7a01ff'), { oid: '1.3.6.1', type: 'OpaqueInt64', value: -1n });
    assert.deepEqual(decodeValue('44049f7b01ff'), { oid: '1.3.6.1', type: 'OpaqueUInt64', value: 255n });
    assert.deepEqual(decodeValue('44049f7801ff'), {
      oid: '1.3.6.1',
      type: 'Opaque',
      value: Buffer.from('9f7801ff', 'hex'),
    });
  });

  it('rejects an exception with content', () => {
    assert.equal(decodeValue('800100'), 'value');
    assert.deepEqual(decodeValue('8100'), { oid: '1.3.6.1', type: 'noSuchInstance', value: null });
  });
});
