const maxCharacters = 4096;
/** The longest run of octets that is looked at: more would be cut off again. */
const maxOctets = 4 * maxCharacters;
const unprintable = /(?![\t\r\n])[\p{Cc}\ufffd]/u;
const utf8 = new TextDecoder('utf-8', { ignoreBOM: true });

/**
 * Text where the octets are printable UTF-8 (tabs and line breaks count, NULs at the end do not), else hexadecimal
 * digits after `0x`. At most 4,096 characters, the last one an ellipsis where more are left out.
 */
export function decodeOctets(octets: Uint8Array): string {
  let end = octets.length;
  while (end > 0 && octets[end - 1] === 0) end--;
  if (end === 0) return octets.length === 0 ? '' : hexText(octets);
  const text = utf8.decode(octets.subarray(0, wholeCharacters(octets, Math.min(end, maxOctets))));
  return unprintable.test(text) ? hexText(octets) : cap(text);
}

/** `0x` and two digits an octet. */
export function hexText(octets: Uint8Array): string {
  return cap(`0x${hexDigits(octets.subarray(0, maxCharacters / 2), '')}`, octets.length * 2 + 2);
}

export function hexDigits(octets: Uint8Array, separator: string): string {
  let text = '';
  for (const octet of octets) {
    if (text !== '') text += separator;
    text += octet < 16 ? `0${octet.toString(16)}` : octet.toString(16);
  }
  return text;
}

/** `end`, moved before a character that would be cut in two. */
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
