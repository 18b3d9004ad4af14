import { constants } from 'node:os';

const signals = ['SIGINT', 'SIGTERM'] as const;

/**
 * A second signal within this time repeats the first one: a terminal sends Ctrl-C to all foreground processes, and npm also
 * forwards the signals that it receives to its child.
 */
const repeatMs = 300;

/**
 * Calls `stop` at the first SIGINT or SIGTERM. The next signal that does not repeat the first ends the process immediately,
 * with 128 + its number.
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
    } else if (now() - firstMs >= repeatMs) exit(128 + constants.signals[signal]);
  };
  for (const signal of signals) process.on(signal, listener);
  return () => {
    for (const signal of signals) process.off(signal, listener);
  };
}
