const unwritable = /[\0\p{Surrogate}]/gu;

/** Replaces what PostgreSQL cannot store: NUL and lone surrogates become U+FFFD. */
export function cleanText(text: string): string {
  return text.replace(unwritable, '\uFFFD');
}
