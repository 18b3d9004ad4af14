import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { cpuUsage, memoryUsage } from 'node:process';
import { setFlagsFromString } from 'node:v8';
import { runInNewContext } from 'node:vm';
import loader from '../../plugins/definitions-loader/index.ts';
import registry from '../../plugins/device-registry/index.ts';
import httpRoutes from '../../plugins/http-routes/index.ts';
import networkDiscovery from '../../plugins/network-discovery/index.ts';
import client from '../../plugins/snmp-client/index.ts';
import { snmpClientToken } from '../../plugins/snmp-client/service.ts';
import discovery from '../../plugins/snmp-discovery/index.ts';
import { startTestCollector } from '../../src/testing/index.ts';
import { printFigure } from '../support/figure.ts';

/** Memory, CPU time and packets per second of a scan of 131,070 silent addresses. */
const packetsPerSecond = 5_000;
setFlagsFromString('--expose-gc');
const collectGarbage = runInNewContext('gc') as () => void;

await scan('v2c', 'version: 2c, community: public');
await scan('SNMPv3', 'version: 3, v3_credential: { username: reader }');

async function scan(title: string, credential: string): Promise<void> {
  const folder = mkdtempSync(join(tmpdir(), 'waywiser-scan-'));
  mkdirSync(join(folder, 'autodiscover'));
  const network = `{ credentials: [{ ${credential} }], port: 9, timeout: 200, networks: [127.64.0.0/15] }`;
  writeFileSync(join(folder, 'autodiscover', 'networks.yml'), `all: ${network}\n`);
  const options = { packets_per_second: packetsPerSecond, max_in_flight: 2_000, start_after_ms: 0 };
  const collector = await startTestCollector({
    logLevel: 'warn',
    plugins: [
      { plugin: loader, options: { shipped: false, directories: [folder] } },
      { plugin: registry },
      { plugin: client },
      { plugin: discovery },
      { plugin: httpRoutes },
      { plugin: networkDiscovery, options },
    ],
  });
  const counters = () => collector.getService(snmpClientToken).counters();
  const heaps: number[] = [];
  let most = 0;
  let before = counters().sent;
  let beganMs = performance.now();
  const timer = setInterval(() => {
    const { sent } = counters();
    const now = performance.now();
    most = Math.max(most, ((sent - before) / (now - beganMs)) * 1000);
    [before, beganMs] = [sent, now];
    if (sent > 10_000) {
      collectGarbage();
      heaps.push(memoryUsage().heapUsed / 2 ** 20);
    }
  }, 1000);
  const cpu = cpuUsage();
  const { addresses, durationMs } = await new Promise<{ addresses: number; durationMs: number }>((resolve) =>
    collector.events.on('scan.completed', resolve),
  );
  const { user, system } = cpuUsage(cpu);
  clearInterval(timer);
  const growthMiB = Number((heaps.at(-1)! - heaps[0]!).toFixed(1));
  printFigure(`scan of silent addresses, ${title}`, {
    addresses,
    seconds: Math.round(durationMs / 1000),
    packetsPerSecond: Math.round(counters().sent / (durationMs / 1000)),
    mostPacketsInASecond: Math.round(most),
    budget: packetsPerSecond,
    cpuMicrosecondsPerAddress: Math.round((user + system) / addresses),
    heapMiB: Math.round(heaps.at(-1)!),
    heapGrowthMiB: growthMiB,
    rssMiB: Math.round(memoryUsage().rss / 2 ** 20),
    reached: growthMiB < 5 && most <= packetsPerSecond * 1.05,
  });
  await collector.stop();
  rmSync(folder, { recursive: true });
}
