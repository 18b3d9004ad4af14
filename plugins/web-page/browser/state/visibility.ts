const isHidden = () => document.visibilityState === 'hidden';

/** Resolves when somebody sees this window, or when `stop` aborts. */
export function untilVisible(stop: AbortSignal): Promise<void> {
  return new Promise((resolve) => {
    const over = new AbortController();
    const check = () => {
      if (isHidden() && !stop.aborted) return;
      over.abort();
      resolve();
    };
    document.addEventListener('visibilitychange', check, { signal: over.signal });
    stop.addEventListener('abort', check, { signal: over.signal });
    check();
  });
}

/** A signal that aborts when nobody sees this window any more, or when `stop` aborts. */
export function abortWhenHidden(stop: AbortSignal): AbortSignal {
  const hidden = new AbortController();
  document.addEventListener('visibilitychange', () => isHidden() && hidden.abort(), {
    signal: AbortSignal.any([stop, hidden.signal]),
  });
  if (isHidden()) hidden.abort();
  return AbortSignal.any([stop, hidden.signal]);
}
