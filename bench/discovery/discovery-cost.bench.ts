import { setMaxListeners } from 'node:events';
import { existsSync } from 'node:fs';
import { argv } from 'node:process';
import { fileURLToPath } from 'node:url';
import { listSources } from '../../cli/definitions/coverage/list-sources.ts';
import type { Generation } from '../../plugins/definitions-loader/service.ts';
import type { Device } from '../../plugins/device-registry/service.ts';
import { type DiscoverTools, discoverDevice } from '../../plugins/snmp-discovery/survey/discover-device.ts';
import { compileDefinitions } from '../../src/definitions/compiler/compile-definitions.ts';
import { AutoCatalog } from '../../src/definitions/selection/auto-catalog.ts';
import { defaultPollBudget } from '../../src/definitions/selection/fit-budget.ts';
import { createManager, type Manager, type SnmpSession } from '../../src/snmp/index.ts';
import { startReplayAgent } from '../../src/testing/index.ts';
import { SliceTurns } from '../../src/timing/slices.ts';
import { rawSet } from '../../test/definitions/compiler/raw-set.ts';
import { loadShippedDefinitions } from '../../test/shipped/shipped.ts';
import { printFigure } from '../support/figure.ts';

// npm run bench -- discovery-cost [FOLDER|RECORDING…]: discovers each recorded device with `objects: auto`, over UDP, and with a list of exactly
// the objects that `auto` found. Prints packets, varbinds and milliseconds per device for a third of the definitions that ship, for
// all, and for all with as many invented ones that there are 5,000 in all. The five devices that cost most are named.

const shared = ['recordings', 'parity/recordings'].map((folder) =>
  fileURLToPath(new URL(`../../../shared/${folder}`, import.meta.url)),
);
const given = argv.slice(2);
const { sources } = listSources((given.length > 0 ? given : shared).filter((path) => existsSync(path)));
const maxExtraPackets = 40;

type Objects = Generation['catalog']['objects'];

const { compiled } = loadShippedDefinitions();
const sets: Readonly<Record<string, Objects>> = {
  third: new Map([...compiled.objects].filter((_, position) => position % 3 === 0)),
  shipped: compiled.objects,
  fiveThousand: new Map([...compiled.objects, ...inventObjects(5_000 - compiled.objects.size)]),
};

/** Tables of 200 vendors that no device has. */
function inventObjects(count: number): Objects {
  const invented = Array.from({ length: Math.max(0, count) }, (_, number) => {
    const entry = `1.3.6.1.4.1.${90_000 + (number % 200)}.${number}.1`;
    const columns = [2, 3, 4].map(
      (column) => [`c${column}`, { oid: `${entry}.${column}`, syntax: 'Gauge32' }] as const,
    );
    const index = [{ type: 'Integer', name: 'row', syntax: 'IntegerAsID' }] as const;
    return [`invented${number}`, { index, attributes: Object.fromEntries(columns) }] as const;
  });
  return compileDefinitions(rawSet({ objects: Object.fromEntries(invented) })).definitions.objects;
}

interface Cost {
  readonly packets: number;
  readonly varbinds: number;
  readonly ms: number;
  readonly objects: readonly string[];
}

async function measure(
  manager: Manager,
  port: number,
  counters: { readonly requests: number },
  generation: Generation,
): Promise<Cost> {
  let varbinds = 0;
  const begun = performance.now();
  const before = counters.requests;
  const { signal } = new AbortController();
  setMaxListeners(0, signal);
  const tools: DiscoverTools = {
    registry: {
      getTargets: () => [
        { address: '127.0.0.1', port, version: '2c', community: 'public', timeoutMs: 500, retries: 1 },
      ],
    },
    open: async (target) => countVarbinds(await manager.open(target), (count) => (varbinds += count)),
    generation,
    limits: { maxInstances: 100_000, maxBytes: 2 ** 26, maxSeconds: 60, maxTotalBytes: 2 ** 30 },
    memory: { bytes: 0, take() {} },
    pollBudget: defaultPollBudget,
    slices: new SliceTurns(),
    signal,
    news: undefined,
    now: Date.now,
    onProgress: () => {},
    onSilentContext: () => {},
  };
  const device = {
    ref: { name: 'd', ip: '127.0.0.1', port },
    settings: { device_groups: ['all'] },
  } as unknown as Device;
  const { objects } = await discoverDevice(device, undefined, tools);
  const ms = performance.now() - begun;
  return { packets: counters.requests - before, varbinds, ms, objects: [...objects.keys()] };
}

interface Compared extends Cost {
  readonly source: string;
  /** Packets that `auto` needs beyond a list of the same objects. */
  readonly extra: number;
}

async function compare(
  manager: Manager,
  source: string,
  auto: Generation,
  objects: Objects,
): Promise<Compared> {
  await using agent = await startReplayAgent({ recording: source });
  const cost = await measure(manager, agent.port, agent.counters, auto);
  const listed = generationOf(objects, { objects: cost.objects });
  const { packets } = await measure(manager, agent.port, agent.counters, listed);
  return { source, ...cost, extra: cost.packets - packets };
}

function countVarbinds(session: SnmpSession, count: (varbinds: number) => void): SnmpSession {
  return new Proxy(session, {
    get(target, name) {
      const value: unknown = Reflect.get(target, name, target);
      if (typeof value !== 'function') return value;
      if (name !== 'get' && name !== 'getNext') return value.bind(target);
      return (oids: readonly string[], ...rest: unknown[]) => {
        count(oids.length);
        return value.call(target, oids, ...rest);
      };
    },
  });
}

function generationOf(objects: Objects, group: object): Generation {
  return {
    number: 1,
    catalog: new AutoCatalog(objects),
    sections: compiled,
    findObject: (id: string) => ({ definition: objects.get(id) }),
    findDeviceGroup: () => ({ definition: group }),
  } as unknown as Generation;
}

const autoGroup = { objects: [], auto: { without: [] } };

function summarize(values: readonly number[]) {
  const sorted = values.toSorted((a, b) => a - b);
  const at = (share: number) =>
    Math.round(sorted[Math.min(sorted.length - 1, Math.floor(share * sorted.length))]!);
  return { median: at(0.5), p95: at(0.95), max: at(1) };
}

if (sources.length === 0) console.log('No recordings: name files or folders.');
else {
  const manager = createManager();
  for (const [set, objects] of Object.entries(sets)) {
    const auto = generationOf(objects, autoGroup);
    const found: Compared[] = [];
    const failed: string[] = [];
    for (const source of sources) {
      try {
        found.push(await compare(manager, source, auto, objects));
      } catch (error) {
        failed.push(`${source}: ${String(error)}`);
      }
    }
    const extra = summarize(found.map((each) => each.extra));
    printFigure(`discovery with ${objects.size} objects (${set})`, {
      devices: found.length,
      packets: summarize(found.map(({ packets }) => packets)),
      packetsMoreThanAList: extra,
      goalPacketsMore: maxExtraPackets,
      varbindsAsked: summarize(found.map(({ varbinds }) => varbinds)),
      ms: summarize(found.map(({ ms }) => ms)),
      reached: extra.max <= maxExtraPackets,
    });
    const dearest = found.toSorted((a, b) => b.extra - a.extra).slice(0, 5);
    for (const { source, packets, extra: more, ms } of dearest)
      console.log(`  ${more} packets more, ${packets} in all, ${Math.round(ms)} ms: ${source}`);
    for (const line of failed) console.log(`  failed: ${line}`);
  }
  await manager.close();
}
