import { randomBytes } from 'node:crypto';

/**
 * Two 32-bit hashes of a text and some octets, under a key of this process: nobody can choose octets that collide. The result
 * is in `high` and `low`, so that nothing is allocated.
 */
export class KeyedHash {
  high = 0;
  low = 0;
  readonly #seeds: readonly [number, number];

  constructor(key: Buffer = randomBytes(8)) {
    this.#seeds = [key.readInt32LE(0), key.readInt32LE(4)];
  }

  compute(text: string, octets: Uint8Array, start = 0, end = octets.length): void {
    let [high, low] = this.#seeds;
    for (let i = 0; i < text.length; i++) {
      const code = text.charCodeAt(i);
      high = mix(high, code);
      low = mix(low, code ^ 0x5bd1e995);
    }
    let at = start;
    for (; end - at >= 4; at += 4) {
      const word = octets[at]! | (octets[at + 1]! << 8) | (octets[at + 2]! << 16) | (octets[at + 3]! << 24);
      high = mix(high, word);
      low = mix(low, word ^ 0x5bd1e995);
    }
    for (; at < end; at++) {
      high = mix(high, octets[at]!);
      low = mix(low, octets[at]! ^ 0x5bd1e995);
    }
    this.high = finish(high ^ (end - start));
    this.low = finish(low ^ text.length ^ (end - start));
  }

  /** The hash as one number of 53 bits. */
  get key(): number {
    return (this.high & 0x1f_ffff) * 2 ** 32 + (this.low >>> 0);
  }
}

/** The steps of MurmurHash3, which spread each bit over the whole word. */
function mix(state: number, word: number): number {
  let k = Math.imul(word, 0xcc9e2d51);
  k = Math.imul((k << 15) | (k >>> 17), 0x1b873593);
  const h = state ^ k;
  return (Math.imul((h << 13) | (h >>> 19), 5) + 0xe6546b64) | 0;
}

function finish(state: number): number {
  let h = state ^ (state >>> 16);
  h = Math.imul(h, 0x85ebca6b);
  h ^= h >>> 13;
  h = Math.imul(h, 0xc2b2ae35);
  return h ^ (h >>> 16);
}
