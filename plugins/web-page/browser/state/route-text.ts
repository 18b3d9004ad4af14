/** A place of the page: the words after `#/`, and what is selected there. */
export interface Place {
  readonly words: readonly string[];
  readonly query: Readonly<Record<string, string>>;
}

/** Reads the part of the address after `#`. What cannot be decoded stays as it is. */
export function parsePlace(hash: string): Place {
  const text = hash.replace(/^#?\/?/, '');
  const [path = '', query = ''] = splitOnce(text, '?');
  const words = path.split('/').filter((word) => word !== '');
  return { words: words.map(decode), query: Object.fromEntries(new URLSearchParams(query)) };
}

/** Writes a place as an address for a link. Empty parts of the query are left out. */
export function formatPlace(
  words: readonly string[],
  query: Readonly<Record<string, string | undefined>> = {},
): string {
  const given = Object.entries(query).filter(
    (entry): entry is [string, string] => entry[1] !== undefined && entry[1] !== '',
  );
  const text = new URLSearchParams(given).toString();
  return `#/${words.map(encodeURIComponent).join('/')}${text === '' ? '' : `?${text}`}`;
}

function splitOnce(text: string, separator: string): readonly string[] {
  const at = text.indexOf(separator);
  return at < 0 ? [text] : [text.slice(0, at), text.slice(at + 1)];
}

function decode(word: string): string {
  try {
    return decodeURIComponent(word);
  } catch {
    return word;
  }
}
