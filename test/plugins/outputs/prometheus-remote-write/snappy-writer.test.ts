import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import fc from 'fast-check';
import { uncompress } from 'snappyjs';
import { SnappyWriter } from '../../../../plugins/outputs/prometheus-remote-write/wire/snappy-writer.ts';

type Step =
  | { readonly bytes: Uint8Array }
  | { readonly back: number; readonly length: number }
  | { readonly number: number };

/** Applies the steps to a writer and to plain bytes. */
function writeSteps(steps: readonly Step[]) {
  const writer = new SnappyWriter();
  let plain = Buffer.alloc(0);
  const append = (bytes: Uint8Array) => {
    plain = Buffer.concat([plain, bytes]);
  };
  for (const step of steps) {
    if ('bytes' in step) {
      writer.bytes(step.bytes);
      append(step.bytes);
    } else if ('number' in step) {
      writer.double(step.number);
      const eight = Buffer.alloc(8);
      eight.writeDoubleLE(step.number);
      append(eight);
    } else if (plain.length > 0) {
      const back = 1 + (step.back % plain.length);
      const length = 1 + (step.length % back);
      writer.copy(plain.length - back, length);
      append(plain.subarray(plain.length - back, plain.length - back + length));
    }
    assert.equal(writer.position, plain.length);
  }
  return { writer, plain };
}

describe("Snappy's block format", () => {
  it('is read back by another implementation', () => {
    const step = fc.oneof(
      fc.record({ bytes: fc.uint8Array({ minLength: 1, maxLength: 400 }) }),
      fc.record({ back: fc.nat(100_000), length: fc.nat(1_000) }),
      fc.record({ number: fc.double({ noNaN: true }) }),
    );
    fc.assert(
      fc.property(fc.array(step, { maxLength: 60 }), (steps) => {
        const { writer, plain } = writeSteps(steps);
        assert.deepEqual(Buffer.from(uncompress(SnappyWriter.finish(writer))), plain);
      }),
      { numRuns: 100 },
    );
  });

  it('has literals and offsets of every length, and joins several writers', () => {
    const noise = (length: number) => Uint8Array.from({ length }, (_, i) => (i * i * 31 + i * 7) % 251);
    const steps = [1, 60, 61, 256, 257, 65_536, 65_537, 200_000].flatMap((length): Step[] => [
      { bytes: noise(length) },
      { back: 0, length: 0 },
    ]);
    const first = writeSteps([...steps, { back: 150_000, length: 3_000 }]);
    const second = writeSteps([{ bytes: noise(70) }, { back: 69, length: 69 }]);
    const joined = Buffer.from(uncompress(SnappyWriter.finish(first.writer, second.writer)));
    assert.ok(joined.equals(Buffer.concat([first.plain, second.plain])));
  });

  it('writes numbers as varints', () => {
    const numbers = [0, 127, 128, 300, 2 ** 32, 1_700_000_000_000, Number.MAX_SAFE_INTEGER];
    const writer = new SnappyWriter();
    for (const number of numbers) writer.varint(number);
    const bytes = uncompress(SnappyWriter.finish(writer));
    const read: number[] = [];
    for (let at = 0; at < bytes.length; at++) {
      let value = 0n;
      let shift = 0n;
      for (; bytes[at]! >= 0x80; at++, shift += 7n) value |= BigInt(bytes[at]! & 0x7f) << shift;
      read.push(Number(value | (BigInt(bytes[at]!) << shift)));
    }
    assert.deepEqual(read, numbers);
  });
});
