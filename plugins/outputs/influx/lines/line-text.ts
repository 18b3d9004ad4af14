/** A device may send 64 KiB for a name, and a tag is part of the series' key, which has a limit. */
const maxTagLength = 1024;
/** InfluxDB 1 takes no longer text. */
const maxTextBytes = 65_535;

/** A measurement, tag key, tag value or field key. The caller leaves out empty tag values: the format has none. */
export function keyText(text: string): string {
  const cut = text.length > maxTagLength ? text.slice(0, maxTagLength) : text;
  if (!special.test(cut)) return cut;
  // InfluxDB takes a backslash before a separator for its escape, however many there are; others count them.
  return cut.replace(/\\(?=[,= ]|$)/g, fullWidthBackslash).replace(allSpecial, escapeCharacter);
}

/** A field's text in its quotes. A line end is spelled out, unless the reader is known to look for the quote behind it. */
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

/** The format has escapes for its separators alone: a control character is spelled out, as Telegraf does. */
function escapeCharacter(character: string): string {
  if (character === '\\') return character;
  if (',= '.includes(character)) return `\\${character}`;
  const letter = letters[character] ?? `u${character.charCodeAt(0).toString(16).padStart(4, '0')}`;
  return `\\${letter}`;
}

/** Without a character that only half fits. */
function cutToBytes(text: string): string {
  return Buffer.from(text)
    .subarray(0, maxTextBytes - 3)
    .toString()
    .replace(/\uFFFD+$/, '');
}
