import { type ChildProcess, execFileSync, fork } from 'node:child_process';
import { once } from 'node:events';
import { get } from 'node:http';
import { get as getSecurely } from 'node:https';
import { loadavg } from 'node:os';
import { join } from 'node:path';
import { argv, env } from 'node:process';
import { setTimeout as sleep } from 'node:timers/promises';
import { fileURLToPath } from 'node:url';
import { printFigure } from '../support/figure.ts';
import { watchIdle } from '../support/idle-delay.ts';
import { makeWorkshop } from '../support/processes.ts';
import type { ServerFigures } from './connections/server-child.ts';

/**
 * Thousands of new connections at the same moment, while a client with another address asks for `/livez`, one request after the other, each
 * over a new connection.
 * With WAYWISER_BEFORE=FOLDER, the checkout in that folder is measured in the same run, alternating with this one. With words behind the
 * name of this file, only the floods whose names contain one of them.
 */
const connections = 3_000;
/** At least and at most, if not every connection of the flood was answered or closed before. */
const windowMs = { least: 3_000, most: 20_000 };
const rounds = 2;
const here = (path: string) => fileURLToPath(new URL(path, import.meta.url));
const checkouts = [
  ...(env.WAYWISER_BEFORE === undefined ? [] : [{ name: 'before', folder: env.WAYWISER_BEFORE }]),
  { name: 'now', folder: here('../..') },
];
const floods = [
  { name: 'none', connections: 0, addresses: 1, kind: 'silent', isSecure: false },
  { name: 'one address, silent', connections, addresses: 1, kind: 'silent', isSecure: false },
  { name: 'one address, a request each', connections, addresses: 1, kind: 'asks', isSecure: false },
  { name: '500 addresses, a request each', connections, addresses: 500, kind: 'asks', isSecure: false },
  { name: 'none, TLS', connections: 0, addresses: 1, kind: 'silent', isSecure: true },
  { name: 'one address, TLS', connections, addresses: 1, kind: 'asks', isSecure: true },
  { name: '500 addresses, TLS', connections, addresses: 500, kind: 'asks', isSecure: true },
];
const workshop = makeWorkshop();
try {
  const files = ['cert', 'key'].map((name) => join(workshop.folder, `${name}.pem`));
  makeCertificate(files);
  const words = argv.slice(2);
  for (const flood of floods.filter(
    ({ name }) => words.length === 0 || words.some((word) => name.includes(word)),
  )) {
    for (let round = 1; round <= rounds; round++) {
      for (const { name, folder } of checkouts) {
        const { result, ...idle } = await watchIdle(measure(folder, flood, flood.isSecure ? files : []));
        printFigure(`${connections} new connections: ${flood.name}: ${name}`, {
          round,
          ...result,
          ...idle,
          loadAverage: Math.round(loadavg()[0]! * 10) / 10,
        });
      }
    }
  }
} finally {
  workshop.remove();
}

async function measure(folder: string, flood: (typeof floods)[number], files: readonly string[]) {
  const server = start('server-child', folder, ...files);
  try {
    const [baseUrl] = (await once(server, 'message')) as [string];
    await askUntil(baseUrl, (elapsedMs) => elapsedMs > 1_000);
    const flooder = start('flood-child', baseUrl, flood.connections, flood.addresses, flood.kind);
    await once(flooder, 'message');
    server.send('forget');
    await once(server, 'message');
    let answeredOfFlood: number | undefined;
    flooder.once('message', (answered: number) => {
      answeredOfFlood = answered;
    });
    flooder.send('go');
    const asked = await askUntil(
      baseUrl,
      (elapsedMs) =>
        elapsedMs > windowMs.most || (elapsedMs > windowMs.least && answeredOfFlood !== undefined),
    );
    server.send('report');
    const [figures] = (await once(server, 'message')) as [ServerFigures];
    flooder.kill();
    return { ...figures, ...asked, answeredOfFlood };
  } finally {
    server.kill();
  }
}

function makeCertificate([certificate = '', key = '']: readonly string[]): void {
  const kind = ['-newkey', 'rsa:2048', '-nodes', '-days', '2', '-subj', '/CN=localhost'];
  execFileSync('openssl', ['req', '-x509', ...kind, '-out', certificate, '-keyout', key], {
    stdio: 'ignore',
  });
}

/** What the other client sees. */
async function askUntil(baseUrl: string, isOver: (elapsedMs: number) => boolean) {
  const timesMs: number[] = [];
  let failed = 0;
  for (const begunMs = performance.now(); !isOver(performance.now() - begunMs); await sleep(20)) {
    try {
      timesMs.push(await ask(baseUrl));
    } catch {
      failed++;
    }
  }
  timesMs.sort((a, b) => a - b);
  const at = (share: number) => Math.round(timesMs[Math.floor(share * (timesMs.length - 1))] ?? 0);
  return {
    answered: timesMs.length,
    failed,
    answerP50Ms: at(0.5),
    answerP99Ms: at(0.99),
    answerMaxMs: at(1),
  };
}

function ask(baseUrl: string): Promise<number> {
  const begunMs = performance.now();
  return new Promise((resolve, reject) => {
    const from = { agent: false, localAddress: '127.0.0.200', timeout: 10_000, rejectUnauthorized: false };
    const request = (baseUrl.startsWith('https:') ? getSecurely : get)(`${baseUrl}/livez`, from, (reply) => {
      reply.resume().on('end', () => {
        if (reply.statusCode === 200) resolve(performance.now() - begunMs);
        else reject(new Error(String(reply.statusCode)));
      });
    });
    request.on('error', reject).on('timeout', () => request.destroy(new Error('no answer')));
  });
}

function start(script: string, ...args: readonly (string | number)[]): ChildProcess {
  return fork(here(`connections/${script}.ts`), args.map(String), { execArgv: ['--import', 'tsx'] });
}
