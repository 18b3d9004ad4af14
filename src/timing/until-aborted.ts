/**
 * Settles as `work` does, or rejects with the reason of the signal when that aborts first. The work itself may go on; its later result is
 * ignored.
 */
export async function untilAborted<Result>(signal: AbortSignal, work: Promise<Result>): Promise<Result> {
  let onAbort = () => {};
  const aborted = new Promise<never>((_, reject) => {
    onAbort = () => reject(signal.reason);
    if (signal.aborted) onAbort();
    else signal.addEventListener('abort', onAbort, { once: true });
  });
  try {
    return await Promise.race([work, aborted]);
  } finally {
    signal.removeEventListener('abort', onAbort);
    work.catch(() => {});
  }
}
