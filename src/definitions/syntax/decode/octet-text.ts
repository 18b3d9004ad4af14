const maxCharacters = 4096;
/** The most octets that are decoded: more would be cut off again. */
const maxOctets = 4 * maxCharacters;
/** For longer texts the decoder is faster than joining characters. */
const maxPlain = 32;
/** Control characters but tabs and line breaks. With a lookahead for those, 500 texts of 16 kB take 80 ms instead of 22. */
const unprintable = /[^\P{Cc}\t\r\n]|\ufffd/u;
const hexPairs: readonly string[] = Array.from({ length: 256 }, (_, octet) =>
  octet.toString(16).padStart(2, '0'),
);
const utf8 = new TextDecoder('utf-8', { ignoreBOM: true });

/**
 * Text if the octets are printable UTF-8, or Latin-1 as old devices send it (with tabs and line breaks; NULs at the end are dropped),
 * else hexadecimal digits after `0x`. At most 4,096 characters; the last one is an ellipsis when more were cut off, whatever these were.
 */
export function decodeOctets(octets: Uint8Array): string {
  let end = octets.length;
  while (end > 0 && octets[end - 1] === 0) end--;
  if (end === 0) return octets.length === 0 ? '' : hexText(octets);
  const plain = end > maxPlain ? undefined : plainText(octets, end);
  if (plain !== undefined) return plain;
  const text = cap(utf8.decode(octets.subarray(0, wholeCharacters(octets, Math.min(end, maxOctets)))));
  return unprintable.test(text) ? (latinText(octets, end) ?? hexText(octets)) : text;
}

const macOctets = 6;
/** Six octets may be a MAC address: they are text if they are one word that begins with a letter of ASCII and has one letter beyond. */
const wordOfLatin = /^[a-z][a-z]*[\xc0-\xff][a-z]*$/i;

/** Printable Latin-1: no control character of either half. */
const printableLatin = /^[\t\r\n\x20-\x7e\xa0-\xff]+$/;
/** UTF-8 that was cut or damaged would be read as two characters for each one. */
const utf8Sequence = /[\xc2-\xdf][\x80-\xbf]|[\xe0-\xef][\x80-\xbf]{2}|[\xf0-\xf4][\x80-\xbf]{3}/;

/**
 * Undefined for what is no Latin-1 text. At least half of a text is ASCII, as in all languages of this encoding: a MAC address or text of another
 * encoding rarely is.
 */
function latinText(octets: Uint8Array, end: number): string | undefined {
  const text = Buffer.from(octets.buffer, octets.byteOffset, Math.min(end, maxOctets)).toString('latin1');
  if (!printableLatin.test(text) || utf8Sequence.test(text)) return undefined;
  if (octets.length === macOctets && !wordOfLatin.test(text)) return undefined;
  return 2 * text.replaceAll(/[^\0-\x7f]/g, '').length < text.length ? undefined : cap(text);
}

/**
 * Whether octets, given as one character each, are what `decodeOctets` would return. Then the same string can be used, and no
 * memory is spent on a new one.
 */
export function isPlainText(octets: string): boolean {
  return octets.length <= maxPlain && printable.test(octets);
}

const printable = /^[\x20-\x7e]+$/;

/** Printable ASCII, which most texts are, without the decoder; undefined for anything else. */
function plainText(octets: Uint8Array, end: number): string | undefined {
  for (let at = 0; at < end; at++) if (octets[at]! < 0x20 || octets[at]! > 0x7e) return undefined;
  return String.fromCharCode(...octets.subarray(0, end));
}

/** `0x` and two digits per octet. */
function hexText(octets: Uint8Array): string {
  return cap(`0x${hexDigits(octets.subarray(0, maxCharacters / 2), '')}`, octets.length * 2 + 2);
}

/** `0x` and two digits per octet, in capitals; nothing for no octets. */
export function upperHexText(octets: Uint8Array): string {
  return octets.length === 0 ? '' : `0x${hexText(octets).slice(2).toUpperCase()}`;
}

export function hexDigits(octets: Uint8Array, separator: string): string {
  let text = '';
  for (let at = 0; at < octets.length; at++) {
    text += at === 0 ? hexPairs[octets[at]!] : separator + hexPairs[octets[at]!];
  }
  return text;
}

/** `end`, or the start of a character that would be cut in two. */
function wholeCharacters(octets: Uint8Array, end: number): number {
  if (end < maxOctets) return end;
  let cut = end;
  while (cut > end - 4 && ((octets[cut] ?? 0) & 0xc0) === 0x80) cut--;
  return cut;
}

function cap(text: string, length = text.length): string {
  if (length <= maxCharacters) return text;
  const head = text.slice(0, maxCharacters - 1);
  return `${/[\ud800-\udbff]$/.test(head) ? head.slice(0, -1) : head}…`;
}
