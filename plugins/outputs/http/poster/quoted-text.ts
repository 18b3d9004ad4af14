/** What the other side says beyond this helps nobody. */
const maxLength = 300;

/** The first words of a foreign text in quotes: one line, without control characters or changes of direction. Nothing of nothing. */
export function quoteText(text: string): string {
  if (text === '') return '';
  return JSON.stringify(text.slice(0, maxLength)).replace(
    /[\p{Cc}\p{Cf}\u2028\u2029]/gu,
    (character) => `\\u{${character.codePointAt(0)!.toString(16)}}`,
  );
}
