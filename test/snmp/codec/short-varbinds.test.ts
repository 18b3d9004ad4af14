import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import fc from 'fast-check';
import { BerReader } from '../../../src/snmp/codec/ber-reader.ts';
import { newDecodeTally } from '../../../src/snmp/codec/decode-fault.ts';
import { encodeOid } from '../../../src/snmp/codec/oid-bytes.ts';
import { OidTextCache } from '../../../src/snmp/codec/oid-text-cache.ts';
import { OidRanges, readVarbinds } from '../../../src/snmp/codec/varbind-codec.ts';
import { anyOid } from '../support/arbitraries.ts';

/** The octets of one varbind as an agent could send them, right or wrong. */
interface RawVarbind {
  readonly name: Uint8Array;
  readonly tag: number;
  readonly content: Uint8Array;
  readonly rest: Uint8Array;
}

const tags = [
  0x02, 0x04, 0x05, 0x06, 0x40, 0x41, 0x42, 0x43, 0x44, 0x45, 0x46, 0x47, 0x80, 0x81, 0x82, 0x30, 0x99,
];
const rawVarbind: fc.Arbitrary<RawVarbind> = fc.record({
  name: fc.oneof(
    { weight: 9, arbitrary: anyOid.map((oid) => Uint8Array.from(encodeOid(oid)!)) },
    { weight: 1, arbitrary: fc.uint8Array({ maxLength: 12 }) },
  ),
  tag: fc.constantFrom(...tags),
  content: fc.uint8Array({ maxLength: 10 }),
  rest: fc.oneof(
    { weight: 9, arbitrary: fc.constant(new Uint8Array(0)) },
    { weight: 1, arbitrary: fc.uint8Array({ maxLength: 3 }) },
  ),
});

type Encode = (tag: number, ...parts: readonly Uint8Array[]) => Buffer;
const encodeLong: Encode = (tag, ...parts) => {
  const content = Buffer.concat(parts);
  return Buffer.concat([Buffer.of(tag, 0x82, content.length >> 8, content.length & 0xff), content]);
};
const encodeShort: Encode = (tag, ...parts) => {
  const content = Buffer.concat(parts);
  return content.length > 0x7f
    ? encodeLong(tag, ...parts)
    : Buffer.concat([Buffer.of(tag, content.length), content]);
};

function listOf(varbinds: readonly RawVarbind[], encode: Encode): Buffer {
  const each = varbinds.map(({ name, tag, content, rest }) =>
    encode(0x30, encode(0x06, name), encode(tag, content), rest),
  );
  return encodeLong(0x30, ...each);
}

class Decoder {
  readonly #tally = newDecodeTally();
  readonly #reader = new BerReader(this.#tally);
  readonly #texts = new OidTextCache();
  readonly #ranges = new OidRanges();

  decode(octets: Buffer) {
    const reader = this.#reader.open(octets);
    const varbinds = readVarbinds(reader, this.#texts, this.#ranges);
    const { fault } = reader;
    if (fault !== undefined) return { fault, tally: { ...this.#tally } };
    const { starts, ends } = this.#ranges;
    const names = varbinds.map((_, i) => octets.subarray(starts[i], ends[i]).toString('hex'));
    return { varbinds, names, isAtEnd: reader.isAtEnd, tally: { ...this.#tally } };
  }
}

describe('a list of varbinds', () => {
  it('reads the same with lengths of one octet and of three, right or wrong', () => {
    const [short, long] = [new Decoder(), new Decoder()];
    fc.assert(
      fc.property(fc.array(rawVarbind, { maxLength: 6 }), (varbinds) => {
        assert.deepEqual(
          short.decode(listOf(varbinds, encodeShort)),
          long.decode(listOf(varbinds, encodeLong)),
        );
      }),
      { numRuns: 2_000 },
    );
  });

  it('is refused when it ends within a header, a name or a value', () => {
    const whole = encodeShort(
      0x30,
      encodeShort(0x06, Buffer.of(0x2b, 6, 1)),
      encodeShort(0x02, Buffer.of(7)),
    );
    for (let length = 1; length < whole.length; length++) {
      const { fault } = new Decoder().decode(encodeLong(0x30, whole.subarray(0, length)));
      assert.equal(fault, 'length', `${length} octets`);
    }
  });
});
