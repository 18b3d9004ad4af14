import { constants } from 'node:os';

const signals = ['SIGINT', 'SIGTERM'] as const;

/**
 * What comes this soon after the first signal is the same wish: a terminal sends Ctrl-C to everyone in front of it, and npm
 * sends on to its child what it gets itself.
 */
const sameWishMs = 300;

/**
 * Calls `stop` at the first SIGINT or SIGTERM; the next one that is a wish of its own ends the process at once with 128 +
 * its number.
 */
export function onSignals(
  stop: (signal: string) => void,
  exit: (code: number) => void,
  now: () => number = performance.now.bind(performance),
): () => void {
  let firstMs: number | undefined;
  const listener = (signal: NodeJS.Signals) => {
    if (firstMs === undefined) {
      firstMs = now();
      stop(signal);
    } else if (now() - firstMs >= sameWishMs) exit(128 + constants.signals[signal]);
  };
  for (const signal of signals) process.on(signal, listener);
  return () => {
    for (const signal of signals) process.off(signal, listener);
  };
}
