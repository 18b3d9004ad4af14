import assert from 'node:assert/strict';
import type { ChildProcess } from 'node:child_process';
import { once } from 'node:events';
import { setTimeout as sleep } from 'node:timers/promises';

/** Waits until a starting collector is ready and describes its API, stops it, and expects that it ends well. Its stderr must be a pipe. */
export async function becomesReady(collector: ChildProcess, address: string): Promise<void> {
  let said = '';
  collector.stderr!.on('data', (chunk) => (said += chunk));
  const ended = once(collector, 'exit');
  // No time limit of the test: a start that takes too long ends the process. A busy machine answers 503 for a while.
  for (const path of ['/readyz', '/openapi.json']) {
    for (let status: number | undefined; status !== 200; await sleep(50)) {
      assert.equal(collector.exitCode, null, said);
      status = (await fetch(`${address}${path}`).catch(() => undefined))?.status;
    }
  }
  collector.kill('SIGTERM');
  assert.deepEqual(await ended, [0, null], said);
}
