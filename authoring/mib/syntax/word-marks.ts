/** What word processors write for quotation marks and hyphens, in Unicode and as Latin-1 shows Windows-1252. */

export function isCurlyQuote(code: number): boolean {
  return code === 0x201c || code === 0x201d || code === 0x201e || code === 0x93 || code === 0x94;
}

/** Written for two hyphens. */
export function isLongDash(code: number): boolean {
  return code === 0x2014 || code === 0x97;
}

/** Written for one hyphen. */
export function isShortDash(code: number): boolean {
  return code === 0x2013 || code === 0x96;
}

export const hasCurlyQuote = /[\u201c-\u201e\x93\x94]/;

/** A curly quotation mark behind which the definition continues, although the text began with a straight one. */
export const curlyTextEnd =
  /[\u201c-\u201e\x93\x94](?=[ \t]*::=|[ \t]*[\r\n]\s*(?:::=|(?:STATUS|DESCRIPTION|REFERENCE|INDEX|AUGMENTS|DEFVAL|SYNTAX|MAX-ACCESS|ACCESS|REVISION)\s))/;
