import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import fc from 'fast-check';
import { berTag } from '../../../src/snmp/codec/ber-tag.ts';
import { ReplyDecoder } from '../../../src/snmp/compiled/reply-decoder.ts';
import { compileGet, createPollColumns } from '../../../src/snmp/index.ts';

const decoder = new ReplyDecoder();
const arcs = [1, 3, 6, 1, 2, 1, 31, 1, 1, 1, 6, 47, 11];

/** OIDs of one to twelve content octets. */
const requests = arcs.slice(1).map((_, last) => {
  const oids = [arcs.slice(0, last + 2).join('.')];
  return compileGet({ dialect: { version: '2c', community: 'public' }, oids, firstSlot: 0 });
});

const element = (tag: number, content: Uint8Array) => Buffer.from([tag, content.length, ...content]);

/** The body of a reply to one of the requests, after other octets as in a datagram. */
function decode(request: (typeof requests)[number], name: Uint8Array, tag: number, content: Uint8Array) {
  const varbind = element(0x30, Buffer.concat([element(0x06, name), element(tag, content)]));
  const body = Buffer.concat([Buffer.from([2, 1, 0, 2, 1, 0]), element(0x30, varbind)]);
  const datagram = Buffer.concat([Buffer.alloc(3, 0xff), body, Buffer.alloc(2, 0xff)]);
  const columns = createPollColumns(1);
  decoder.decode(datagram, 3, 3 + body.length, request, 0, 1, columns);
  const [low = 0, high = 0] = columns.words;
  return {
    cause: decoder.cause,
    matched: decoder.matched,
    tag: columns.status[0],
    value: (BigInt(high) << 32n) | BigInt(low),
  };
}

const integerTags = [
  berTag.integer,
  berTag.counter32,
  berTag.gauge32,
  berTag.timeTicks,
  berTag.uInteger32,
  berTag.counter64,
];

/** The reference: decodes octet by octet; undefined when the octets are not an integer of this type. */
function integerOf(tag: number, content: Uint8Array): bigint | undefined {
  const bits = content.reduce((value, octet) => (value << 8n) | BigInt(octet), 0n);
  switch (tag) {
    case berTag.counter64:
      return content.length <= 8 || (content.length === 9 && content[0] === 0) ? bits : undefined;
    case berTag.integer:
      return content.length <= 8 ? BigInt.asUintN(64, BigInt.asIntN(8 * content.length, bits)) : undefined;
    default:
      return content.length <= 8 ? BigInt.asUintN(32, bits) : undefined;
  }
}

describe('ReplyDecoder', () => {
  it('decodes integers of every type and length correctly', () => {
    const content = fc.uint8Array({ maxLength: 10 }).chain((octets) =>
      // Padded ones and negative ones are rare among random octets.
      fc.constantFrom(octets, Uint8Array.of(0, ...octets), Uint8Array.of(0xff, ...octets)),
    );
    fc.assert(
      fc.property(
        fc.constantFrom(...requests),
        fc.constantFrom(...integerTags),
        content,
        (request, tag, octets) => {
          const expected = integerOf(tag, octets);
          assert.deepEqual(
            decode(request, request.expected, tag, octets),
            expected === undefined
              ? { cause: 'malformed', matched: 0, tag: 0, value: 0n }
              : { cause: 'end', matched: 1, tag, value: expected },
          );
        },
      ),
      { numRuns: 2_000 },
    );
  });

  it('rejects a name that differs in any octet or in length', () => {
    const value = Buffer.of(7);
    for (const request of requests) {
      const name = request.expected;
      const wrong = [...name.keys()].map((at) => name.map((octet, i) => (i === at ? octet ^ 1 : octet)));
      for (const other of [...wrong, name.subarray(1), Buffer.concat([name, value])]) {
        const { cause, matched } = decode(request, other, berTag.gauge32, value);
        assert.equal(cause, 'mismatch');
        assert.equal(matched, 0);
      }
    }
  });
});
