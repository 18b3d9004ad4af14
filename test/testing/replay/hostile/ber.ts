/** Writes BER without any rule, so that a test can send what a correct encoder cannot. */
export function element(tag: number, ...content: readonly Uint8Array[]): Buffer {
  const octets = Buffer.concat(content);
  return Buffer.concat([Buffer.of(tag), lengthOf(octets.length), octets]);
}

/** With this many octets of length after the first one, or with the octets of `length` itself. */
export function longElement(
  tag: number,
  length: number | Uint8Array,
  ...content: readonly Uint8Array[]
): Buffer {
  const octets = Buffer.concat(content);
  const header =
    typeof length === 'number'
      ? Buffer.from([0x80 | length, ...bigEndian(octets.length, length)])
      : Buffer.from(length);
  return Buffer.concat([Buffer.of(tag), header, octets]);
}

export function integer(value: number | bigint, tag = 0x02): Buffer {
  let octets = BigInt.asUintN(72, BigInt(value)).toString(16).padStart(18, '0');
  while (/^00[0-7]|^ff[89a-f]/.test(octets)) octets = octets.slice(2);
  return element(tag, Buffer.from(octets, 'hex'));
}

export function hex(octets: string): Buffer {
  return Buffer.from(octets.replaceAll(' ', ''), 'hex');
}

/** A varbind with these content octets of its name, and NULL unless another value is given. */
export function varbind(name: Uint8Array, value: Uint8Array = element(0x05)): Buffer {
  return element(0x30, element(0x06, name), value);
}

function lengthOf(length: number): Buffer {
  if (length < 0x80) return Buffer.of(length);
  return length < 0x100 ? Buffer.of(0x81, length) : Buffer.of(0x82, length >> 8, length & 0xff);
}

function bigEndian(value: number, octets: number): number[] {
  return Array.from({ length: octets }, (_, i) =>
    i > octets - 5 ? (value >>> (8 * (octets - 1 - i))) & 0xff : 0,
  );
}
