import { fork } from 'node:child_process';
import { once } from 'node:events';
import { fileURLToPath } from 'node:url';

/** Starts a script of this folder, which prints its port. */
export async function startCounterpart(script: string): Promise<{ readonly port: number } & Disposable> {
  const path = fileURLToPath(new URL(script, import.meta.url));
  const child = fork(path, { execArgv: ['--import', 'tsx'] });
  const [port] = (await once(child, 'message')) as [number];
  return { port, [Symbol.dispose]: () => void child.kill('SIGKILL') };
}
