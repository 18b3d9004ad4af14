import { join } from 'node:path';
import { argv, cpuUsage, exit } from 'node:process';
import { SlotBook } from '../poller/slot-book.ts';
import {
  deviceRegistryToken,
  pollerToken,
  snmpClientToken,
  startCollector,
} from '../poller/start-collector.ts';
import { importBuilt } from '../support/built-code.ts';

/** What a collector says about the time between `begin` and `end`. */
export interface PhaseFigures {
  readonly cpuUs: number;
  readonly accepted: number;
  readonly dropped: Readonly<Record<string, number>>;
  readonly reports: number;
  /** At the end. */
  readonly engines: number;
  readonly memoryMiB: number;
  /** Of the SNMP manager. */
  readonly packets: number;
  readonly discoveries: number;
  readonly packetsOfDiscoveries: number;
  readonly mostPacketsOfDiscoveriesPerSecond: number;
  readonly mostDiscoveriesPerSecond: number;
  readonly pollFailures: number;
  readonly slots: number;
  readonly missedSlots: number;
  readonly slotErrorP99Ms: number;
}

/** usage: flood-child FOLDER PORT OPTIONS_OF_SNMP_TRAPS. Polls the devices of the folder and writes all records to records.ndjson. `begin` and `end` are messages. */
const [, , folder = '', port, traps = '{}'] = argv;
const { discoveryToken } = await importBuilt<typeof import('../../plugins/snmp-discovery/service.ts')>(
  'plugins/snmp-discovery/service.ts',
);
const { httpRoutesToken } = await importBuilt<typeof import('../../plugins/http-routes/service.ts')>(
  'plugins/http-routes/service.ts',
);
const collector = await startCollector(
  folder,
  {},
  {
    'outputs/ndjson': {
      file: join(folder, 'records.ndjson'),
      rotate: { max_bytes: 0 },
      delivery: { max_queued_batches: 100_000 },
    },
    'snmp-traps': {
      listen: [{ address: '127.0.0.1', port: Number(port) }],
      aim: { enabled: false },
      ...JSON.parse(traps),
    },
  },
);
const routes = collector.getService(httpRoutesToken);
const poller = collector.getService(pollerToken);
const devices = [...collector.getService(deviceRegistryToken).devices()];

interface Phase {
  readonly book: SlotBook;
  readonly beganMs: number;
  readonly cpu: NodeJS.CpuUsage;
  readonly counts: Awaited<ReturnType<typeof readCounts>>;
  readonly failures: number;
}

/** What happened in each second. */
class Seconds {
  readonly #counts = new Map<number, number>();

  restart(): void {
    this.#counts.clear();
  }

  add(count: number, atMs = Date.now()): void {
    const second = Math.floor(atMs / 1000);
    this.#counts.set(second, (this.#counts.get(second) ?? 0) + count);
  }

  get sum(): number {
    return [...this.#counts.values()].reduce((sum, count) => sum + count, 0);
  }

  get most(): number {
    return Math.max(0, ...this.#counts.values());
  }
}

const client = collector.getService(snmpClientToken);
const discovery = collector.getService(discoveryToken);
const [packets, discoveries, packetsOfDiscoveries] = [new Seconds(), new Seconds(), new Seconds()];
let sentBefore = client.counters().sent;
let runsBefore = new Map<string, number>();
setInterval(() => {
  const { sent } = client.counters();
  packets.add(sent - sentBefore);
  sentBefore = sent;
  const runs = new Map(discovery.runs.map(({ id, packets = 0 }) => [id, packets]));
  for (const [id, count] of runs) packetsOfDiscoveries.add(count - (runsBefore.get(id) ?? 0));
  runsBefore = runs;
}, 1_000).unref();
collector.events.on('discovery.started', () => discoveries.add(1));

let phase: Phase | undefined;
let failures = 0;
collector.events.on('poll.failed', () => void failures++);

async function readCounts() {
  // The counters are read from the thread once a second.
  await new Promise((done) => setTimeout(done, 1_100));
  const metrics = await routes.listMetrics();
  const samples = (name: string) => metrics.find((metric) => metric.name === name)?.samples ?? [];
  return {
    accepted: samples('waywiser_traps_accepted_total')[0]?.value ?? 0,
    engines: samples('waywiser_trap_engines')[0]?.value ?? 0,
    reports: samples('waywiser_trap_reports_total').reduce((sum, { value }) => sum + value, 0),
    dropped: Object.fromEntries(
      samples('waywiser_traps_dropped_total').map(({ labels, value }) => [String(labels?.['cause']), value]),
    ),
  };
}

async function begin(): Promise<Phase> {
  const counts = await readCounts();
  for (const seconds of [packets, discoveries, packetsOfDiscoveries]) seconds.restart();
  const book = new SlotBook(collector.events, () => true);
  book.open(
    devices.flatMap((device) =>
      poller
        .upcoming(device)
        .map(({ plan, inMs }) => ({ device: device.ref, plan, dueMs: Date.now() + inMs })),
    ),
  );
  return { book, beganMs: Date.now(), cpu: cpuUsage(), counts, failures };
}

async function end({ book, beganMs, cpu, counts, failures: failuresBefore }: Phase): Promise<PhaseFigures> {
  const { user, system } = cpuUsage(cpu);
  const windowMs = Date.now() - beganMs;
  const { accepted, dropped, reports, engines } = await readCounts();
  const drops = Object.entries(dropped).map(
    ([cause, count]) => [cause, count - (counts.dropped[cause] ?? 0)] as const,
  );
  return {
    cpuUs: user + system,
    accepted: accepted - counts.accepted,
    dropped: Object.fromEntries(drops.filter(([, count]) => count > 0)),
    reports: reports - counts.reports,
    engines,
    packets: packets.sum,
    discoveries: discoveries.sum,
    packetsOfDiscoveries: packetsOfDiscoveries.sum,
    mostPacketsOfDiscoveriesPerSecond: packetsOfDiscoveries.most,
    mostDiscoveriesPerSecond: discoveries.most,
    memoryMiB: Math.round(process.memoryUsage.rss() / 2 ** 20),
    pollFailures: failures - failuresBefore,
    ...book.close(windowMs),
  };
}

process.on('message', async (message) => {
  if (message === 'begin') {
    phase = await begin();
    process.send!('begun');
  } else if (message === 'end') {
    process.send!(await end(phase!));
  } else {
    await collector.stop('the benchmark has ended');
    exit(0);
  }
});
process.send!('ready');
