import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { env } from 'node:process';
import { setTimeout as sleep } from 'node:timers/promises';
import { findFreePort } from '../../../support/free-port.ts';

export interface HttpProgram extends AsyncDisposable {
  readonly url: string;
}

export interface HttpProgramParts {
  readonly command: string;
  /** The files of the server in `folder` are removed with it. */
  readonly prepare: (port: number, folder: string) => readonly string[] | Promise<readonly string[]>;
  /** The path that returns 2xx when the server is ready. */
  readonly readyPath: string;
}

const patienceMs = 30_000;

/** Starts a program that serves HTTP on loopback, with its own folder and port, and waits until it is ready. */
export async function startHttpProgram({
  command,
  prepare,
  readyPath,
}: HttpProgramParts): Promise<HttpProgram> {
  const folder = await mkdtemp(join(tmpdir(), `waywiser-${command}-`));
  const port = await findFreePort();
  const url = `http://127.0.0.1:${port}`;
  const child = spawn(command, await prepare(port, folder), {
    cwd: folder,
    env: { PATH: env['PATH'], HOME: folder },
    stdio: ['ignore', 'ignore', 'pipe'],
  });
  let complaints = '';
  child.stderr.setEncoding('utf8').on('data', (text: string) => {
    complaints = (complaints + text).slice(-2_000);
  });
  const exited = once(child, 'exit');
  const stop = async () => {
    child.kill('SIGKILL');
    await exited;
    await rm(folder, { recursive: true, force: true });
  };
  const isReady = async () => (await fetch(url + readyPath).catch(() => undefined))?.ok === true;
  for (const end = Date.now() + patienceMs; !(await isReady()); await sleep(20)) {
    if (child.exitCode === null && Date.now() < end) continue;
    await stop();
    throw new Error(`${command} did not get ready: ${complaints}`);
  }
  return { url, [Symbol.asyncDispose]: stop };
}
