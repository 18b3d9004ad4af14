import { spawn } from 'node:child_process';
import { once } from 'node:events';
import {
  cpSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  rmSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs';
import { createServer } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as delay } from 'node:timers/promises';
import { fileURLToPath } from 'node:url';
import { buildCode } from '../support/built-code.ts';
import { printFigure } from '../support/figure.ts';

/**
 * Measures what a new user waits for: the time from `npm start` to the first values at /api/v1/snmp/metrics, on free ports. The start
 * of npm and the build are included; an earlier build exists, as at every start except the first.
 */
const root = fileURLToPath(new URL('../../', import.meta.url));
const goalSeconds = 5;
const stopGoalSeconds = 1;
const runs = 5;

buildCode();
const starts: Start[] = [];
for (let run = 0; run < runs; run++) starts.push(await startOnce());
const waits = starts.map(({ seconds }) => seconds).sort((a, b) => a - b);
const median = waits[runs >> 1]!;
printFigure('npm start to the first values, s', {
  value: Number(median.toFixed(2)),
  best: Number(waits[0]!.toFixed(2)),
  worst: Number(waits.at(-1)!.toFixed(2)),
  // A busy machine makes the wait longer, but not the CPU time.
  cpuSeconds: Number(Math.min(...starts.map(({ cpuSeconds }) => cpuSeconds)).toFixed(2)),
  goal: goalSeconds,
  reached: median <= goalSeconds,
});
const stops = starts.map(({ stopSeconds }) => stopSeconds).sort((a, b) => a - b);
printFigure('Ctrl-C until the demonstration has stopped, s', {
  value: Number(stops[runs >> 1]!.toFixed(2)),
  worst: Number(stops.at(-1)!.toFixed(2)),
  goal: stopGoalSeconds,
  reached: stops[runs >> 1]! <= stopGoalSeconds,
});

interface Start {
  readonly seconds: number;
  /** CPU time of npm, the build and the collector until the first values. */
  readonly cpuSeconds: number;
  /** Time from the signal to the end of npm. */
  readonly stopSeconds: number;
}

async function startOnce(): Promise<Start> {
  const { folder, config, port } = await copyDemonstration();
  const begunMs = performance.now();
  const child = spawn('npm', ['start', '--', '--config', config], {
    cwd: root,
    stdio: 'ignore',
    detached: true,
  });
  try {
    while (!(await hasValues(port))) await delay(20);
    const seconds = (performance.now() - begunMs) / 1000;
    const cpuSeconds = cpuSecondsOf(child.pid!);
    const stoppedMs = performance.now();
    const ended = once(child, 'exit');
    // npm and its child processes are one group, as on a terminal.
    process.kill(-child.pid!, 'SIGINT');
    await ended;
    return { seconds, cpuSeconds, stopSeconds: (performance.now() - stoppedMs) / 1000 };
  } finally {
    killGroup(child.pid!);
    rmSync(folder, { recursive: true, force: true });
  }
}

function killGroup(group: number): void {
  try {
    process.kill(-group, 'SIGKILL');
  } catch {
    // The process group has ended already.
  }
}

/** CPU seconds of all processes of a group and of their ended children; the kernel counts in hundredths of a second. */
function cpuSecondsOf(group: number): number {
  return readdirSync('/proc')
    .filter((name) => /^\d+$/.test(name))
    .map((pid) => {
      try {
        const [, tail = ''] = readFileSync(`/proc/${pid}/stat`, 'utf8').split(') ');
        const fields = tail.split(' ');
        const times = fields.slice(11, 15).reduce((sum, ticks) => sum + Number(ticks), 0);
        return Number(fields[2]) === group ? times / 100 : 0;
      } catch {
        return 0;
      }
    })
    .reduce((sum, seconds) => sum + seconds, 0);
}

async function hasValues(port: number): Promise<boolean> {
  try {
    const response = await fetch(`http://127.0.0.1:${port}/api/v1/snmp/metrics`);
    return (await response.text()).includes('\nsnmp_');
  } catch {
    return false;
  }
}

/** A copy of the demonstration with the files that it reads, on free ports. */
async function copyDemonstration() {
  const port = await findFreePort();
  const devicePort = await findFreePort();
  const folder = mkdtempSync(join(tmpdir(), 'waywiser-bench-'));
  const demonstration = join(folder, 'examples', 'demo');
  cpSync(join(root, 'examples', 'demo'), demonstration, {
    recursive: true,
    filter: (path) => !path.endsWith('/state'),
  });
  mkdirSync(join(folder, 'node_modules'));
  symlinkSync(root, join(folder, 'node_modules', 'waywiser'));
  for (const part of ['definitions', 'test']) symlinkSync(join(root, part), join(folder, part));
  for (const entry of readdirSync(demonstration, { recursive: true, withFileTypes: true })) {
    if (!/\.(yml|js)$/.test(entry.name)) continue;
    const file = join(entry.parentPath, entry.name);
    const text = readFileSync(file, 'utf8')
      .replace(/\b161(0[1-9]|1[0-2])\b/g, (_, device) => `${devicePort + Number(device)}`)
      .replace('port: 8080', `port: ${port}`);
    writeFileSync(file, text);
  }
  return { folder, config: join(demonstration, 'waywiser.yml'), port };
}

async function findFreePort(): Promise<number> {
  const server = createServer();
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  const address = server.address();
  await new Promise((resolve) => server.close(resolve));
  return typeof address === 'object' ? address!.port : 0;
}
