import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { readFileSync } from 'node:fs';
import { setTimeout as sleep } from 'node:timers/promises';

/** A tick of the times in /proc, on every Linux that Node runs on. */
const ticksPerSecond = 100;
const patienceMs = 120_000;

/** A program that serves HTTP, and its cost. */
export interface ServedProcess {
  readonly url: string;
  /** CPU seconds of all its threads since its start. */
  cpuSeconds(): number;
  stop(): Promise<void>;
}

/** Resolves when it answers at `readyPath`. */
export async function serveProcess(
  command: string,
  args: readonly string[],
  url: string,
  readyPath: string,
): Promise<ServedProcess> {
  const child = spawn(command, args, { stdio: ['ignore', 'ignore', 'inherit'] });
  const exited = once(child, 'exit');
  const stop = async () => {
    child.kill('SIGKILL');
    await exited;
  };
  for (const end = Date.now() + patienceMs; ; await sleep(50)) {
    const answer = await fetch(url + readyPath).catch(() => undefined);
    await answer?.body?.cancel();
    if (answer?.ok === true) break;
    if (child.exitCode === null && Date.now() < end) continue;
    await stop();
    throw new Error(`${command} did not get ready`);
  }
  return { url, stop, cpuSeconds: () => readCpuSeconds(child.pid!) };
}

/** utime and stime: the 14th and 15th word. The second word is a name in brackets, which may have spaces. */
function readCpuSeconds(pid: number): number {
  const stat = readFileSync(`/proc/${pid}/stat`, 'utf8');
  const words = stat.slice(stat.lastIndexOf(')') + 2).split(' ');
  return (Number(words[11]) + Number(words[12])) / ticksPerSecond;
}
