import type { OutputWriter } from '../../../../src/index.ts';

const lookEveryMs = 1_000;

export interface IdleEndsParts {
  readonly hasEnds: () => boolean;
  /** Batches that wait or are under way. */
  readonly queuedBatches: () => number;
  /** Called with no batches at all: sends the ends that wait, or what it could not send when it was called before. */
  readonly write: OutputWriter['write'];
}

/**
 * Ends series while nothing is polled: behind the last batch of a device that has gone there may come no other one to send the
 * ends along with. Answers a function that stops it.
 */
export function startIdleEnds({ hasEnds, queuedBatches, write }: IdleEndsParts): () => Promise<void> {
  const stopping = new AbortController();
  let hasFailed = false;
  let sending: Promise<void> | undefined;
  const send = async () => {
    try {
      await write([], { signal: stopping.signal });
      hasFailed = false;
    } catch (error) {
      // What was refused would be again; for all else there is another look.
      hasFailed = !(error instanceof Error && error.name === 'PermanentError');
    }
    sending = undefined;
  };
  const timer = setInterval(() => {
    const isDue = hasFailed || (hasEnds() && queuedBatches() === 0);
    if (isDue) sending ??= send();
  }, lookEveryMs).unref();
  return async () => {
    clearInterval(timer);
    stopping.abort();
    await sending;
  };
}
