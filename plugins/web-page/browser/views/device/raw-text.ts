/** What a device sent, as an explanation has it: a number, or octets in hexadecimal. */
export interface RawValue {
  readonly type: string;
  readonly value: string;
}

const minPrintable = 0x20;
const maxPrintable = 0x7e;

/** Octets in pairs, such as `67 65 2d 30`, and as text where all of them can be read. */
export function describeRaw({ type, value }: RawValue): { readonly value: string; readonly meaning: string } {
  const isOctets = /string|opaque|identifier|address/i.test(type) && /^([0-9a-f]{2})+$/i.test(value);
  if (!isOctets) return { value: value === '' ? '(empty)' : value, meaning: '' };
  const pairs = value.match(/../g)!;
  const codes = pairs.map((pair) => Number.parseInt(pair, 16));
  if (type === 'IpAddress') return { value: pairs.join(' '), meaning: codes.join('.') };
  const isText = codes.every((code) => code >= minPrintable && code <= maxPrintable);
  return { value: pairs.join(' '), meaning: isText ? String.fromCharCode(...codes) : '' };
}
