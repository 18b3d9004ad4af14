import { signal } from '@preact/signals';
import { formatPlace, type Place, parsePlace } from './route-text.ts';

/** The place that the address names. It is after `#`, so that the page works below any path. */
export const place = signal<Place>(parsePlace(location.hash));

addEventListener('hashchange', () => {
  place.value = parsePlace(location.hash);
});

/** Goes to another place; the browser's back button returns. */
export function goTo(words: readonly string[], query?: Readonly<Record<string, string | undefined>>): void {
  location.hash = formatPlace(words, query);
}

/** Changes what is selected in this place, without an entry in the browser's history. */
export function select(query: Readonly<Record<string, string | undefined>>): void {
  const { words, query: before } = place.peek();
  history.replaceState(null, '', formatPlace(words, { ...before, ...query }));
  place.value = parsePlace(location.hash);
}
