import { exit, stderr, stdout } from 'node:process';
import { setTimeout as sleep } from 'node:timers/promises';
import { countResources, type ResourceCounts } from '../../src/testing/open-resources.ts';

/** Closed handles need a few turns of the event loop to disappear. */
const settleMs = 500;
const checkEveryMs = 20;
/** How long a reader of standard output may take before its last lines are given up. */
const flushMs = 2_000;

/**
 * Ends the process with `code`. `report` gets the names of what is open now and was not open `before`, if there is anything: it would have
 * kept the process running.
 */
export async function endProcess(
  code: number,
  before: ResourceCounts,
  report: (leftOpen: readonly string[]) => void,
): Promise<never> {
  let leftOpen = listOpened(before);
  for (let waitedMs = 0; leftOpen.length > 0 && waitedMs < settleMs; waitedMs += checkEveryMs) {
    await sleep(checkEveryMs);
    leftOpen = listOpened(before);
  }
  if (leftOpen.length > 0) report(leftOpen);
  await Promise.race([Promise.all([stdout, stderr].map(flush)), sleep(flushMs)]);
  return exit(code);
}

function listOpened(before: ResourceCounts): string[] {
  return [...countResources()].flatMap(([type, count]) => {
    const opened = count - (before.get(type) ?? 0);
    return opened > 0 ? [`${opened} × ${names[type] ?? type}`] : [];
  });
}

const names: Readonly<Record<string, string>> = {
  Timeout: 'timer',
  Immediate: 'immediate',
  TCPServerWrap: 'TCP server',
  TCPSocketWrap: 'TCP connection',
  TLSWrap: 'TLS connection',
  UDPWrap: 'UDP socket',
  PipeServerWrap: 'pipe server',
  PipeWrap: 'pipe',
  ProcessWrap: 'child process',
  FSEventWrap: 'file watcher',
  StatWatcher: 'file watcher',
  MessagePort: 'message port',
  Worker: 'thread',
};

function flush(stream: NodeJS.WriteStream): Promise<void> {
  return new Promise((resolve) => {
    // The reader of a pipe may have gone.
    stream.once('error', () => resolve());
    stream.write('', () => resolve());
  });
}
