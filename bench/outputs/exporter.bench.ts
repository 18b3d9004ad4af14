import { mkdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { execPath } from 'node:process';
import { setTimeout as sleep } from 'node:timers/promises';
import { fileURLToPath } from 'node:url';
import { definitionsOf } from '../poller/bench-folder.ts';
import { alikeDevices, writeDefinitions } from '../poller/interface-definitions.ts';
import { addressOf, columns, rows } from '../snmp/load.ts';
import { buildCode } from '../support/built-code.ts';
import { printFigure } from '../support/figure.ts';
import { findFreePort, makeWorkshop, startFastAgent } from '../support/processes.ts';
import { exporterModules, renderModules } from './exporter/exporter-modules.ts';
import { scrape } from './exporter/scrape.ts';
import { serveProcess } from './exporter/served-process.ts';

/**
 * From poll to Prometheus text over HTTP, as both programs are run: what a sample costs in seconds of CPU. Both do the same
 * job: they read the same 30 numeric columns and the same two names of the same agent for every exposition, label each
 * sample by index and names, and write raw counters only, from which Prometheus computes rates itself. Both are as
 * installed by default, and are asked with the headers of Prometheus, so both compress. What differs is how each is used:
 * ours polls by itself and answers one scrape for all devices, with the device in each line; theirs polls when it is asked,
 * a request a device.
 */
const [devices, inFlight, goal] = [500, 10, 9];
const samplesARound = devices * rows * columns.length;
const everySeconds = 10;
/** Enough time for discovery and one poll of each device. */
const maxLooks = 180;
const rounds = { ours: 5, theirs: 1 };
/** Measured before and after Waywiser, because the speed of the machine varies. */
const turnsOfTheirs = 2;

async function measureCollector(folder: string, agentPort: number): Promise<number> {
  mkdirSync(folder, { recursive: true });
  writeDefinitions(folder, alikeDevices(devices, agentPort, everySeconds));
  const port = await findFreePort();
  const configuration = {
    state_directory: join(folder, 'state'),
    log_level: 'warn',
    plugins: {
      'definitions-loader': { shipped: false, directories: [definitionsOf(folder)] },
      'device-registry': {},
      'snmp-client': {},
      'snmp-discovery': { starts_per_second: 1000, max_concurrent: 40 },
      'snmp-poller': {},
      'http-routes': {},
      prometheus: { port },
    },
  };
  const file = join(folder, 'waywiser.yml');
  writeFileSync(file, JSON.stringify(configuration));
  const main = fileURLToPath(new URL('../../dist/cli/main.js', import.meta.url));
  const url = `http://127.0.0.1:${port}`;
  const collector = await serveProcess(execPath, [main, 'start', '--config', file], url, '/metrics');
  try {
    const scrapeAll = () => scrape(`${url}/metrics`, /^snmp_netif_if(_x)?\d+(_total)?\{/);
    for (let looks = 0; (await scrapeAll()) < samplesARound; looks++) {
      if (looks > maxLooks) throw new Error('not every value was polled');
      await sleep(1_000);
    }
    await sleep(everySeconds * 1_000);
    const begun = collector.cpuSeconds();
    const begunMs = performance.now();
    // As Prometheus scrapes: on time, however long the last answer took. Each device was polled once a round, no more.
    for (let round = 1; round <= rounds.ours; round++) {
      await sleep(begunMs + round * everySeconds * 1_000 - performance.now());
      const samples = await scrapeAll();
      if (samples !== samplesARound) throw new Error(`${samples} samples of ${samplesARound}`);
    }
    return (collector.cpuSeconds() - begun) / rounds.ours;
  } finally {
    await collector.stop();
  }
}

async function measureExporter(folder: string, agentPort: number, module: string): Promise<number> {
  const file = join(folder, 'snmp.yml');
  writeFileSync(file, renderModules());
  const port = await findFreePort();
  const url = `http://127.0.0.1:${port}`;
  const own = [`--config.file=${file}`, `--web.listen-address=127.0.0.1:${port}`, '--log.level=error'];
  const exporter = await serveProcess('prometheus-snmp-exporter', own, url, '/metrics');
  try {
    const scrapeDevice = async (device: number) => {
      const target = `${addressOf(device)}:${agentPort}`;
      const samples = await scrape(`${url}/snmp?target=${target}&module=${module}`, /^if_\d+_\d+\{/);
      if (samples !== samplesARound / devices) throw new Error(`${samples} samples of ${target}`);
    };
    await scrapeDevice(0);
    const begun = exporter.cpuSeconds();
    let next = 0;
    const visit = async () => {
      while (next < devices * rounds.theirs) await scrapeDevice(next++ % devices);
    };
    await Promise.all(Array.from({ length: inFlight }, visit));
    return (exporter.cpuSeconds() - begun) / rounds.theirs;
  } finally {
    await exporter.stop();
  }
}

buildCode();
const workshop = makeWorkshop();
const agent = await startFastAgent(workshop.folder, rows);
try {
  const theirs = new Map(exporterModules.map((module) => [module, 0]));
  const measureTheirs = async () => {
    for (const [module, cost] of theirs) {
      const more = await measureExporter(workshop.folder, agent.port, module);
      theirs.set(module, cost + more / turnsOfTheirs);
    }
  };
  await measureTheirs();
  const ours = await measureCollector(join(workshop.folder, 'collector'), agent.port);
  await measureTheirs();
  const best = Math.min(...theirs.values());
  printFigure('poll to Prometheus text over HTTP, samples per CPU second', {
    value: Math.round(samplesARound / ours),
    yardstick: 'prometheus-snmp-exporter',
    ...Object.fromEntries(
      [...theirs].map(([name, cost]) => [`by ${name}`, Math.round(samplesARound / cost)]),
    ),
    ratio: Number((best / ours).toFixed(2)),
    goal,
    reached: best / ours >= goal,
  });
} finally {
  agent.process.kill();
  workshop.remove();
}
