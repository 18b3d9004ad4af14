import { signal } from '@preact/signals';

export type Theme = 'system' | 'light' | 'dark';

const storedAs = 'waywiser.theme';

/** What the viewer chose; `system` follows the browser. */
export const theme = signal<Theme>(readTheme());

const dark = matchMedia('(prefers-color-scheme: dark)');

/** Changes when colours change, for what is painted without style sheets. */
export const paints = signal(0);
dark.addEventListener('change', () => paints.value++);

theme.subscribe((chosen) => {
  if (chosen === 'system') delete document.documentElement.dataset['theme'];
  else document.documentElement.dataset['theme'] = chosen;
  paints.value = paints.peek() + 1;
});

export function switchTheme(): void {
  const next = { system: 'light', light: 'dark', dark: 'system' } as const;
  theme.value = next[theme.peek()];
  try {
    localStorage.setItem(storedAs, theme.peek());
  } catch {
    // A browser that keeps nothing still shows the page.
  }
}

function readTheme(): Theme {
  try {
    const stored = localStorage.getItem(storedAs);
    return stored === 'light' || stored === 'dark' ? stored : 'system';
  } catch {
    return 'system';
  }
}
