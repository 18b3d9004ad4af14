import { setTimeout as sleep } from 'node:timers/promises';
import { explainError } from '../kernel/errors.ts';
import { definePlugin, type Plugin } from '../kernel/plugin.ts';
import { findDefinitionFaults } from './definition-faults.ts';
import { type FakeService, prepareTestCollector } from './test-collector.ts';

export interface CheckPluginOptions {
  /** Options to start with, as in the configuration file. */
  readonly options?: unknown;
  /** Fakes for what the plugin needs, by the key in its `needs`; the pipeline may be left out. */
  readonly needs?: Readonly<Record<string, unknown>>;
  /** What `${env:NAME}` finds. */
  readonly env?: Readonly<Record<string, string>>;
}

/**
 * Proves that a plugin keeps the contract: name, summary and options are documented, unknown options are refused, it
 * starts and stops, again and again, also when it must stop while it starts or when another one's start fails, and it
 * leaves nothing open. Rejects with one readable report of every fault. A hanging start or stop is given up after 5 s.
 */
export async function checkPlugin(plugin: Plugin, options: CheckPluginOptions = {}): Promise<void> {
  const faults = findDefinitionFaults(plugin, options.options);
  const lives = [
    ['start and stop', startAndStop],
    ['a second start and stop', startAndStop],
    ['a stop while it starts', stopWhileStarting],
    ['a start that fails after it', failAfterStart],
  ] as const;
  for (const [title, live] of lives) {
    const before = countResources();
    const report = (fault: string) => void faults.push(`${title}: ${fault}`);
    try {
      await live(withinPatience(plugin), options, report);
    } catch (error) {
      report(explainError(error));
      break;
    }
    const left = await findResourcesLeft(before);
    if (left.length > 0) report(`left open: ${left.join(', ')}`);
  }
  if (faults.length === 0) return;
  throw new Error(
    `The plugin "${plugin.name}" breaks its contract:\n${faults.map((f) => `  - ${f}`).join('\n')}`,
  );
}

type Live = (plugin: Plugin, options: CheckPluginOptions, report: (fault: string) => void) => Promise<void>;

const startAndStop: Live = async (plugin, options) => {
  const { collector, stop } = await prepare(plugin, options);
  try {
    await collector.start();
  } finally {
    await stop();
    await stop();
  }
};

const stopWhileStarting: Live = async (plugin, options) => {
  const { collector, stop } = await prepare(plugin, options);
  const starting = collector.start();
  await Promise.resolve();
  await stop();
  await starting;
};

const failAfterStart: Live = async (plugin, options, report) => {
  const { collector, stop } = await prepare(plugin, options, failing);
  await collector.start().catch((error) => {
    if (!explainError(error).includes(failing.name)) report(explainError(error));
  });
  await stop();
};

const failing = definePlugin({
  name: 'failing-neighbour',
  kind: 'api',
  summary: 'Fails to start.',
  start() {
    throw new Error('on purpose');
  },
});

function prepare(plugin: Plugin, { options, needs = {}, env = {} }: CheckPluginOptions, ...others: Plugin[]) {
  const services = Object.entries(plugin.needs)
    .filter(([key]) => key in needs)
    .map(([key, token]): FakeService => [token, needs[key]]);
  const plugins = [{ plugin, options }, ...others.map((other) => ({ plugin: other }))];
  return prepareTestCollector({ plugins, services, env });
}

const patienceMs = 5_000;

function withinPatience(plugin: Plugin): Plugin {
  return {
    ...plugin,
    startTimeoutMs: Math.min(plugin.startTimeoutMs, patienceMs),
    stopTimeoutMs: Math.min(plugin.stopTimeoutMs, patienceMs),
  };
}

type ResourceCounts = ReadonlyMap<string, number>;

/** What keeps the process alive now, by its type: sockets, servers, timers that are not unref'd. */
function countResources(): ResourceCounts {
  const counts = new Map<string, number>();
  for (const type of process.getActiveResourcesInfo()) {
    // Questions to the file system end by themselves, and what loads the sources asks some at any time.
    if (!type.startsWith('FSReq')) counts.set(type, (counts.get(type) ?? 0) + 1);
  }
  return counts;
}

const settleMs = 500;
const lookEveryMs = 20;

/** Handles close a few turns of the event loop after they were told to, so this looks until they have. */
async function findResourcesLeft(before: ResourceCounts): Promise<string[]> {
  let left: string[] = [];
  for (let waitedMs = 0; waitedMs < settleMs; waitedMs += lookEveryMs) {
    left = [...countResources()]
      .filter(([type, count]) => count > (before.get(type) ?? 0))
      .map(([type]) => type);
    if (left.length === 0) break;
    await sleep(lookEveryMs);
  }
  return left;
}
