import { constants } from 'node:os';

const signals = ['SIGINT', 'SIGTERM'] as const;

/** Calls `stop` at the first SIGINT or SIGTERM; the second one ends the process at once with 128 + its number. */
export function onSignals(stop: (signal: string) => void, exit: (code: number) => void): () => void {
  let received = 0;
  const listener = (signal: NodeJS.Signals) => {
    if (++received === 1) stop(signal);
    else exit(128 + constants.signals[signal]);
  };
  for (const signal of signals) process.on(signal, listener);
  return () => {
    for (const signal of signals) process.off(signal, listener);
  };
}
