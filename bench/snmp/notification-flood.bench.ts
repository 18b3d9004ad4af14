import { type ChildProcess, fork } from 'node:child_process';
import { once } from 'node:events';
import { fileURLToPath } from 'node:url';
import { printFigure } from '../support/figure.ts';

/**
 * Traps from 250 sources to one socket: how many are kept, and the CPU time of each, beside a socket that only counts. Sender and
 * receiver share the cores of the machine.
 */
const program = fileURLToPath(new URL('notification-flood-child.ts', import.meta.url));
const sources = 250;
const seconds = 5;

interface Kept {
  readonly kept: number;
  readonly cpuUs: number;
  readonly kernelDrops: number | undefined;
  readonly receiveBufferBytes: number;
}

function start(...words: readonly (string | number)[]): ChildProcess {
  return fork(program, words.map(String), { execArgv: ['--import', 'tsx'] });
}

async function report<T>(child: ChildProcess): Promise<T> {
  const [message] = await once(child, 'message');
  return message as T;
}

async function measure(
  role: 'bare' | 'receiver',
  perSecond: number,
): Promise<Kept & { readonly sent: number }> {
  const receiver = start(role);
  const { port } = await report<{ port: number }>(receiver);
  const { sent } = await report<{ sent: number }>(start('send', port, perSecond, seconds, sources));
  receiver.send('end');
  return { sent, ...(await report<Kept>(receiver)) };
}

for (const perSecond of [20_000, 40_000]) {
  const bare = await measure('bare', perSecond);
  const own = await measure('receiver', perSecond);
  const usEach = ({ cpuUs, kept }: Kept) => Number((cpuUs / Math.max(1, kept)).toFixed(1));
  const share = ({ kept, sent }: { kept: number; sent: number }) => Number(((100 * kept) / sent).toFixed(2));
  printFigure(`notifications at ${perSecond}/s`, {
    keptPercent: share(own),
    usEach: usEach(own),
    kernelDrops: own.kernelDrops,
    receiveBufferBytes: own.receiveBufferBytes,
    yardstick: 'a socket that counts',
    yardstickKeptPercent: share(bare),
    yardstickUsEach: usEach(bare),
    ratio: Number((usEach(own) / usEach(bare)).toFixed(2)),
    goal: 8,
    reached: usEach(own) <= 8 * usEach(bare) && share(own) >= Math.min(99.9, share(bare)),
  });
}
