/** A device may send 64 KiB for a name, and a tag is a part of the series key, which is limited. */
const maxTagLength = 1024;
/** The longest text that InfluxDB 1 accepts. */
const maxTextBytes = 65_535;

/** Escapes a measurement, tag key, tag value or field key. The caller omits empty tag values, which the format does not have. */
export function keyText(text: string): string {
  const cut = text.length > maxTagLength ? text.slice(0, maxTagLength) : text;
  if (!special.test(cut)) return cut;
  // InfluxDB reads any backslash before a separator as its escape. Other readers count the backslashes.
  return cut.replace(/\\(?=[,= ]|$)/g, fullWidthBackslash).replace(allSpecial, escapeCharacter);
}

/** Quotes the text of a field. Line ends are written as \\n and \\r, unless the reader is known to look for the closing quote. */
export function quotedText(text: string, rawLineEnds: boolean): string {
  const cut = Buffer.byteLength(text) > maxTextBytes ? cutToBytes(text) : text;
  const quoted = /["\\]/.test(cut) ? cut.replace(/["\\]/g, '\\$&') : cut;
  const isOneLine = rawLineEnds || !/[\n\r]/.test(quoted);
  return isOneLine ? `"${quoted}"` : `"${quoted.replaceAll('\n', '\\\\n').replaceAll('\r', '\\\\r')}"`;
}

const special = /[,= \\\p{Cc}\u2028\u2029]/u;
const allSpecial = new RegExp(special, 'gu');
const fullWidthBackslash = '\uFF3C';
const letters: Readonly<Record<string, string>> = { '\n': 'n', '\r': 'r', '\t': 't', '\f': 'f' };

/** The format can only escape its separators. A control character is written out, as Telegraf does. */
function escapeCharacter(character: string): string {
  if (character === '\\') return character;
  if (',= '.includes(character)) return `\\${character}`;
  const letter = letters[character] ?? `u${character.charCodeAt(0).toString(16).padStart(4, '0')}`;
  return `\\${letter}`;
}

/** Cuts without leaving half a character. */
function cutToBytes(text: string): string {
  return Buffer.from(text)
    .subarray(0, maxTextBytes - 3)
    .toString()
    .replace(/\uFFFD+$/, '');
}
