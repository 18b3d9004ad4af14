import { useEffect, useRef, useState } from 'preact/hooks';
import { noticeFailure, returns } from './connection.ts';

/** What a view has loaded, and what it says when loading fails. */
export interface Polled<T> {
  readonly value: T | undefined;
  /** A sentence, while the last attempt failed. */
  readonly problem: string | undefined;
  readonly isLoading: boolean;
  reload(): void;
}

/**
 * Loads something now, again every `everyMs` while the page is visible, and when `key` changes. 0: only once. What was loaded stays until
 * the next answer; it is dropped when `key` changes.
 */
export function usePolled<T>(
  key: string,
  everyMs: number,
  load: (signal: AbortSignal) => Promise<T>,
): Polled<T> {
  const [state, setState] = useState<{ key: string; value?: T; problem?: string; isLoading: boolean }>({
    key,
    isLoading: true,
  });
  const [round, setRound] = useState(0);
  const latestLoad = useRef(load);
  latestLoad.current = load;
  const returned = returns.value;

  // A round and a return load again.
  useEffect(() => {
    const stop = new AbortController();
    let timer: ReturnType<typeof setTimeout> | undefined;
    const attempt = async () => {
      setState((before) => (before.key === key ? { ...before, isLoading: true } : { key, isLoading: true }));
      try {
        const value = await latestLoad.current(stop.signal);
        if (!stop.signal.aborted) setState({ key, value, isLoading: false });
      } catch (error) {
        if (stop.signal.aborted) return;
        noticeFailure(error);
        const problem = error instanceof Error ? error.message : String(error);
        setState((before) => ({ ...before, key, problem, isLoading: false }));
      }
      if (everyMs > 0 && !stop.signal.aborted) timer = setTimeout(repeat, everyMs);
    };
    const repeat = () => {
      if (document.visibilityState === 'visible') void attempt();
      else document.addEventListener('visibilitychange', repeat, { once: true, signal: stop.signal });
    };
    void attempt();
    return () => {
      stop.abort();
      clearTimeout(timer);
    };
  }, [key, everyMs, round, returned]);

  const isCurrent = state.key === key;
  return {
    value: isCurrent ? state.value : undefined,
    problem: isCurrent ? state.problem : undefined,
    isLoading: !isCurrent || state.isLoading,
    reload: () => setRound((before) => before + 1),
  };
}
