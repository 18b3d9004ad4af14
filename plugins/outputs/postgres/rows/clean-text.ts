const unwritable = /[\0\p{Surrogate}]/gu;

/** The text as PostgreSQL can hold it: a NUL and half a character become U+FFFD. */
export function cleanText(text: string): string {
  return text.replace(unwritable, '\uFFFD');
}
