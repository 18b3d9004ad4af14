import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { chmodSync, mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { getuid } from 'node:process';
import { findFreeUdpPorts } from './free-port.ts';

export interface Snmpsim extends AsyncDisposable {
  readonly port: number;
}

/** Debian's snmpsim with one `.snmprec` text a community, on a free port of 127.0.0.1. It answers when this resolves. */
export async function startSnmpsim(recordings: ReadonlyMap<string, Buffer>): Promise<Snmpsim> {
  const folder = mkdtempSync(join(tmpdir(), 'waywiser-snmpsim-'));
  chmodSync(folder, 0o755);
  const [data, cache] = [join(folder, 'data'), join(folder, 'cache')];
  mkdirSync(data);
  mkdirSync(cache);
  // It drops root before it writes its indices.
  chmodSync(cache, 0o777);
  for (const [community, text] of recordings) writeFileSync(join(data, `${community}.snmprec`), text);
  const port = (await findFreeUdpPorts(1))[0]!;
  const daemon = spawn(
    'snmpsimd',
    [
      ...(getuid?.() === 0 ? ['--process-user=nobody', '--process-group=nogroup'] : []),
      `--data-dir=${data}`,
      `--cache-dir=${cache}`,
      '--variation-modules-dir=/usr/share/snmpsim/variation',
      `--agent-udpv4-endpoint=127.0.0.1:${port}`,
    ],
    { cwd: folder, stdio: ['ignore', 'ignore', 'pipe'] },
  );
  const gone = once(daemon, 'exit');
  const dispose = async () => {
    daemon.kill('SIGKILL');
    await gone;
    rmSync(folder, { recursive: true });
  };
  try {
    await Promise.race([
      listening(daemon.stderr),
      gone.then(() => Promise.reject(new Error('snmpsimd ended'))),
    ]);
  } catch (error) {
    await dispose();
    throw error;
  }
  return { port, [Symbol.asyncDispose]: dispose };
}

/** It logs every request: what it says must be read, or it stops at a full pipe. */
function listening(log: NodeJS.ReadableStream): Promise<void> {
  let tail = '';
  return new Promise((resolve) => {
    log.setEncoding('latin1').on('data', (text: string) => {
      if (tail === 'done') return;
      tail = (tail + text).slice(-4096);
      if (!tail.includes('Listening at')) return;
      tail = 'done';
      resolve();
    });
  });
}
