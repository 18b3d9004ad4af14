import { type RawColumn, rawTag } from '../../../src/definitions/syntax/decode/raw-column.ts';

/** A raw value as the documentation writes it: `-5`, `0x00ff`, `"eth0"`, `.1.3.6`, `float 21.5`, `ip 10.0.0.1`. */
export function rawOf(text: string): RawColumn {
  if (text.startsWith('"')) return rawOctets(rawTag.octetString, new TextEncoder().encode(text.slice(1, -1)));
  if (text.startsWith('0x')) return rawOctets(rawTag.octetString, Buffer.from(text.slice(2), 'hex'));
  if (text.startsWith('opaque 0x')) return rawOctets(rawTag.opaque, Buffer.from(text.slice(9), 'hex'));
  if (text.startsWith('.'))
    return rawOctets(rawTag.objectIdentifier, oidOctets(text.slice(1).split('.').map(Number)));
  if (text.startsWith('ip '))
    return rawOctets(rawTag.ipAddress, Uint8Array.from(text.slice(3).split('.').map(Number)));
  if (text.startsWith('float ')) {
    return rawNumber(rawTag.float, new Uint32Array(Float32Array.of(Number(text.slice(6))).buffer)[0]!);
  }
  if (text.startsWith('double ')) {
    const bits = new BigUint64Array(Float64Array.of(Number(text.slice(7))).buffer)[0]!;
    return rawNumber(rawTag.double, Number(bits & 0xffffffffn), Number(bits >> 32n));
  }
  const value = BigInt(text);
  const tag = value < 0n ? rawTag.integer : value > 0xffffffffn ? rawTag.counter64 : rawTag.gauge32;
  const bits = BigInt.asUintN(64, value);
  return rawNumber(tag, Number(bits & 0xffffffffn), Number(bits >> 32n));
}

/** A column of one row: a number. */
export function rawNumber(tag: number, low: number, high = 0): RawColumn {
  return { count: 1, words: Uint32Array.of(low, high), tags: Uint8Array.of(tag), octets: [] };
}

/** A column of one row: anything that is octets. */
export function rawOctets(tag: number, octets: Uint8Array): RawColumn {
  return { count: 1, words: new Uint32Array(2), tags: Uint8Array.of(tag), octets: [octets] };
}

export function oidOctets(arcs: readonly number[]): Uint8Array {
  const [first = 0, second = 0, ...rest] = arcs;
  return Uint8Array.from([40 * first + second, ...rest].flatMap(sevenBits));
}

function sevenBits(arc: number): number[] {
  const octets = [arc % 128];
  for (let left = Math.floor(arc / 128); left > 0; left = Math.floor(left / 128))
    octets.unshift((left % 128) | 0x80);
  return octets;
}
