import { type ChildProcess, type SpawnOptions, spawn } from 'node:child_process';
import { once } from 'node:events';
import { connect } from 'node:net';
import { setTimeout as sleep } from 'node:timers/promises';

/** A third-party server on a port of loopback. */
export interface RealServer extends AsyncDisposable {
  readonly port: number;
  /** Kills it. */
  kill(): Promise<void>;
  /** Starts it again on the same port, with the same files. */
  start(): Promise<void>;
}

/** Resolves when the server accepts connections. Rejects with its output when it ends before. */
export async function startRealServer(
  command: string,
  args: readonly string[],
  port: number,
  { killSignal = 'SIGKILL', ...options }: SpawnOptions & { readonly killSignal?: NodeJS.Signals } = {},
): Promise<RealServer> {
  let child: ChildProcess | undefined;
  let exited: Promise<unknown> = Promise.resolve();
  const start = async () => {
    let printed = '';
    const started = spawn(command, args, { ...options, stdio: ['ignore', 'pipe', 'pipe'] });
    for (const stream of [started.stdout, started.stderr]) stream?.on('data', (text) => (printed += text));
    child = started;
    exited = once(started, 'exit').catch(() => {});
    let hasEnded = false;
    exited.then(() => {
      hasEnded = true;
    });
    while (!(await canConnect(port))) {
      if (hasEnded) throw new Error(`${command} ended before it was ready: ${printed}`);
      await sleep(10);
    }
  };
  const kill = async () => {
    child?.kill(killSignal);
    await exited;
  };
  await start();
  return { port, start, kill, [Symbol.asyncDispose]: kill };
}

async function canConnect(port: number): Promise<boolean> {
  const socket = connect(port, '127.0.0.1');
  const isOpen = await new Promise<boolean>((resolve) => {
    socket.once('connect', () => resolve(true)).once('error', () => resolve(false));
  });
  socket.destroy();
  return isOpen;
}
