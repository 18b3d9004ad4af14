import { isPaletteOpen } from './palette-state.ts';
import { goTo } from './place.ts';

/** The letters after `g`, and their views. */
export const navigationKeys = {
  f: 'fleet',
  d: 'devices',
  c: 'definitions',
  e: 'events',
  t: 'traps',
  n: 'networks',
  o: 'plugins',
  l: 'cluster',
} as const;

let isAfterG = false;

/** `/` or Ctrl+K opens the search; `g` and a letter goes to a view. */
export function followKeys(event: KeyboardEvent): void {
  const isTyping = (event.target as Element).closest('input, textarea, select') !== null;
  if (event.key === 'k' && (event.ctrlKey || event.metaKey)) {
    event.preventDefault();
    isPaletteOpen.value = true;
    return;
  }
  if (isTyping || event.ctrlKey || event.metaKey || event.altKey || isPaletteOpen.peek()) return;
  if (event.key === '/') {
    event.preventDefault();
    isPaletteOpen.value = true;
  } else if (isAfterG) {
    const view = (navigationKeys as Readonly<Record<string, string>>)[event.key];
    if (view !== undefined) goTo([view]);
  }
  isAfterG = event.key === 'g';
}
