import { type ChildProcess, fork } from 'node:child_process';
import { once } from 'node:events';
import { setTimeout as sleep } from 'node:timers/promises';
import { fileURLToPath } from 'node:url';
import { type Browser, chromium, type Page } from 'playwright-core';
import { alikeDevices, writeDefinitions } from '../poller/interface-definitions.ts';
import { writeInventories } from '../poller/inventories.ts';
import { buildCode } from '../support/built-code.ts';
import { printFigure } from '../support/figure.ts';
import { makeWorkshop, startFastAgent } from '../support/processes.ts';
import type { SeenRequest } from './pages-child.ts';

/**
 * The page beside 10,000 devices that are polled every minute: how soon Chromium shows it, and what open pages cost the collector. Two cores
 * cannot show fifty pages, so the requests of one page are repeated by fifty clients, each with a stream of events.
 */
const [count, interfaces, everySeconds, pages] = [10_000, 24, 60, 50];
const places = { fleet: '#/fleet', devices: '#/devices', device: '#/device/d7' };
const warmMs = 30_000;
const seenMs = 20_000;
const windowMs = 15_000;

buildCode();
const workshop = makeWorkshop();
const agent = await startFastAgent(workshop.folder, interfaces);
const devices = alikeDevices(count, agent.port, everySeconds);
writeDefinitions(workshop.folder, devices);
writeInventories(workshop.folder, devices, interfaces);
const collector = start('collector-child.ts', workshop.folder);
const [baseUrl] = (await once(collector, 'message')) as [string];
const browser = await chromium.launch({
  executablePath: '/usr/bin/chromium',
  args: ['--no-sandbox', '--disable-gpu'],
});
try {
  await sleep(warmMs);
  await measurePaint(browser);
  const alone = await measureCores();
  printFigure('a collector with 10,000 devices, no page open', { cores: round(alone) });
  const seen = await Promise.all(
    Object.entries(places).map(async ([view, place]) => [view, await seeRequests(browser, place)] as const),
  );
  for (const [view, requests] of seen) {
    const clients = start('pages-child.ts', baseUrl, pages, seenMs, JSON.stringify(requests));
    await sleep(seenMs);
    const cores = (await measureCores()) - alone;
    const hasFailed = clients.exitCode !== null;
    clients.kill();
    if (hasFailed) throw new Error(`The clients of the view ${view} failed.`);
    const print = (what: string, value: number, goal: number) =>
      printFigure(`${what} with the view ${view}`, {
        cores: round(value),
        requestsPerMinute: (requests.length * 60_000) / seenMs,
        goal,
        reached: value <= goal,
      });
    print(`${pages} open pages`, cores, 0.1);
    print('one open page, of these', cores / pages, 0.01);
  }
} finally {
  await browser.close();
  collector.kill();
  agent.process.kill();
  workshop.remove();
}

function start(script: string, ...args: readonly (string | number)[]): ChildProcess {
  const path = fileURLToPath(new URL(script, import.meta.url));
  return fork(path, args.map(String), { execArgv: ['--import', 'tsx'] });
}

async function readCpuSeconds(): Promise<number> {
  collector.send('cpu');
  const [seconds] = (await once(collector, 'message')) as [number];
  return seconds;
}

async function measureCores(): Promise<number> {
  const before = await readCpuSeconds();
  const begunMs = performance.now();
  await sleep(windowMs);
  return (1000 * ((await readCpuSeconds()) - before)) / (performance.now() - begunMs);
}

/** The median of five windows with empty caches: until something is painted, and until the fleet is shown and a key is answered. */
async function measurePaint(from: Browser): Promise<void> {
  const rounds: { paintMs: number; readyMs: number }[] = [];
  for (let round = 0; round < 5; round++) {
    const context = await from.newContext();
    const page = await context.newPage();
    await page.goto(`${baseUrl}/`, { waitUntil: 'commit' });
    await page.locator('.states strong').first().waitFor();
    await page.keyboard.press('/');
    await page.getByRole('combobox').waitFor();
    rounds.push(await readTimes(page));
    await context.close();
  }
  const print = (figure: string, key: 'paintMs' | 'readyMs', goalMs: number) => {
    const value = rounds.map((each) => each[key]).sort((a, b) => a - b)[2]!;
    printFigure(figure, { ms: Math.round(value), goalMs, reached: value <= goalMs });
  };
  print('first contentful paint', 'paintMs', 1_000);
  print('the fleet is shown and a key is answered', 'readyMs', 1_500);
}

/** Since the window began to load. */
async function readTimes(page: Page): Promise<{ paintMs: number; readyMs: number }> {
  return page.evaluate(`({
    paintMs: performance.getEntriesByName('first-contentful-paint')[0].startTime,
    readyMs: performance.now(),
  })`);
}

/** What a page asks for while it is open, without the stream of events. */
async function seeRequests(from: Browser, place: string): Promise<SeenRequest[]> {
  const page = await from.newPage();
  await page.goto(`${baseUrl}/${place}`);
  await sleep(5_000);
  const begunMs = performance.now();
  const seen: SeenRequest[] = [];
  page.on('request', (request) => {
    const url = request.url();
    if (!url.includes('/api/v1/events')) seen.push({ url, atMs: performance.now() - begunMs });
  });
  await sleep(seenMs);
  await page.close();
  return seen;
}

function round(cores: number): number {
  return Number(cores.toFixed(4));
}
