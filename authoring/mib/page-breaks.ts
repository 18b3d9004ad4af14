const months = 'January|February|March|April|May|June|July|August|September|October|November|December';

/**
 * `Author     Standards Track     [Page 12]`, and the first line of the next page: `RFC 2863     Title     June 2000`. Each part has an
 * end, so that the time is linear in the text.
 */
const pageLine = new RegExp(
  String.raw`^(?:\S[^\r\n]{0,200} {3}\[Page {1,9}\d{1,4}\]|\f?(?:RFC {1,9}\d{1,5}|Internet[- ]Draft) {3}[^\r\n]{1,200} {3}(?:${months}) {1,9}\d{4})[ \t]{0,200}$`,
  'gim',
);

/**
 * The text of a file that was cut out of an RFC with its pages: the last and the first line of each page become spaces, so that every
 * offset stays the same. `first` is where the first of them begins; undefined for other files.
 */
export function blankPageBreaks(text: string): { readonly text: string; readonly first: number | undefined } {
  if (!text.includes('[Page ')) return { text, first: undefined };
  let hasFooter = false;
  let first: number | undefined;
  const blanked = text.replace(pageLine, (line, offset: number) => {
    hasFooter ||= line.includes('[Page ');
    first ??= offset;
    return ' '.repeat(line.length);
  });
  return hasFooter ? { text: blanked, first } : { text, first: undefined };
}
