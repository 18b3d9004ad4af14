import { signal } from '@preact/signals';

/** The present, for texts such as `3 min ago`. */
export const now = signal(Date.now());

/** Moves the present once per second, while the page is visible. */
setInterval(() => {
  if (document.visibilityState === 'visible') now.value = Date.now();
}, 1000);
