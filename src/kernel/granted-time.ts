import { readdirSync, readFileSync } from 'node:fs';

/** Below this share of a wait, what the process did not get makes no difference. */
const ignoredShare = 0.1;
const shortestMs = 1;

/**
 * Calls back once the machine has given the process the time: a busy host lets its threads wait for a processor, and that time does
 * not count. Where the system does not say how long they waited, it is the time of the clock. Returns how to cancel it.
 */
export function afterGrantedTime(ms: number, callback: () => void): () => void {
  let timer: NodeJS.Timeout;
  const wait = (waitMs: number): void => {
    const before = readWaits('self');
    const begun = performance.now();
    timer = setTimeout(() => {
      const lostMs = Math.min(longestWait(before), performance.now() - begun);
      if (lostMs < Math.max(waitMs * ignoredShare, shortestMs)) callback();
      else wait(lostMs);
    }, waitMs);
  };
  wait(ms);
  return () => clearTimeout(timer);
}

/** How long a thread of the process has waited for a processor since `before`: the one that waited longest. Linux only, 0 elsewhere. */
function longestWait(before: ReadonlyMap<string, number>, process: number | 'self' = 'self'): number {
  let longest = 0;
  for (const [thread, waited] of readWaits(process)) {
    longest = Math.max(longest, waited - (before.get(thread) ?? 0));
  }
  return longest / 1e6;
}

/** The same of another process since it began. */
export function waitedMs(process: number): number {
  return longestWait(new Map(), process);
}

/** By the number of each thread, in nanoseconds. */
function readWaits(process: number | 'self'): ReadonlyMap<string, number> {
  const waits = new Map<string, number>();
  try {
    const folder = `/proc/${process}/task`;
    for (const thread of readdirSync(folder)) waits.set(thread, readWait(`${folder}/${thread}/schedstat`));
  } catch {
    // Another system, or the process has ended.
  }
  return waits;
}

function readWait(file: string): number {
  try {
    // proc(5): nanoseconds on a processor, nanoseconds that it waited for one, and how often it ran.
    return Number(readFileSync(file, 'latin1').split(' ')[1] ?? 0);
  } catch {
    // The thread has ended.
    return 0;
  }
}
