import { setTimeout as sleep } from 'node:timers/promises';
import { explainError } from '../kernel/errors.ts';
import { definePlugin, isPlugin, type Plugin, pluginKinds } from '../kernel/plugin.ts';
import { checkOptions } from '../kernel/plugin-options.ts';
import { suggestName } from '../nearest-name.ts';
import { pipelineToken } from '../pipeline/pipeline.ts';
import type { TSchema } from '../typebox.ts';
import { countResources, type ResourceCounts } from './open-resources.ts';
import { createTestBatch } from './test-batch.ts';
import { type FakeService, prepareTestCollector } from './test-collector.ts';

export interface CheckPluginOptions {
  /** Options for the start, as in the configuration file. */
  readonly options?: unknown;
  /** Fakes for the services that the plugin needs, by the key in its `needs`; the pipeline may be left out. */
  readonly needs?: Readonly<Record<string, unknown>>;
  /** The variables for `${env:NAME}`. */
  readonly env?: Readonly<Record<string, string>>;
}

/**
 * Checks that a plugin keeps its contract: name, summary and options are documented, unknown options are rejected, it starts and
 * stops repeatedly, also when it is stopped during its start or when another plugin fails to start, and it leaves nothing open.
 * A processor also has to process a batch, and what a source pushes at its start has to be well formed. Rejects with one report of every fault, whose cause is the error that was thrown. A start or stop that hangs is abandoned after 5 s.
 */
export async function checkPlugin(plugin: Plugin, options: CheckPluginOptions = {}): Promise<void> {
  demandPlugin(plugin);
  const faults = findDefinitionFaults(plugin, options.options);
  let thrown: unknown;
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
      await live(withShortTimeouts(plugin), options, report);
    } catch (error) {
      report(explainError(error));
      thrown = error;
      break;
    }
    const left = await findResourcesLeft(before);
    if (left.length > 0) report(`left open: ${left.join(', ')}`);
  }
  if (faults.length === 0) return;
  throw new Error(
    `The plugin "${plugin.name}" breaks its contract:\n${faults.map((f) => `  - ${f}`).join('\n')}`,
    thrown === undefined ? {} : { cause: thrown },
  );
}

/** Throws for a value that no check can begin with. */
function demandPlugin(plugin: Plugin): void {
  if (isPlugin(plugin)) return;
  const given = (plugin ?? {}) as Partial<Plugin>;
  const { name = 'undefined', kind } = given;
  if (!isPlugin({ ...given, kind: pluginKinds[0] })) {
    throw new Error(
      `"${name}" is no plugin: pass what definePlugin, defineOutput, defineProcessor or defineSource returns.`,
    );
  }
  const suggestion = suggestName(String(kind), pluginKinds);
  throw new Error(
    `The plugin "${name}" breaks its contract:\n  - its kind is "${kind}".${suggestion} Choose one of: ${pluginKinds.join(', ')}.`,
  );
}

type Live = (plugin: Plugin, options: CheckPluginOptions, report: (fault: string) => void) => Promise<void>;

const startAndStop: Live = async (plugin, options, report) => {
  const { collector, stop, logLines } = await prepare(plugin, options);
  try {
    await collector.start();
    if (usesRealPipeline(plugin, options)) {
      const pipeline = collector.getService(pipelineToken);
      if (plugin.kind === 'processor') pipeline.push(createTestBatch());
      if (pipeline.counters.malformed[plugin.name] !== undefined) {
        report(String(logLines.find(({ source }) => source === plugin.name)?.['message']));
      }
      if (pipeline.counters.processorFailures[plugin.name] !== undefined) {
        report('it throws on a batch of waywiser/testing');
      }
    }
  } finally {
    await stop();
    await stop();
  }
};

function usesRealPipeline(plugin: Plugin, { needs = {} }: CheckPluginOptions): boolean {
  return Object.entries(plugin.needs).some(
    ([key, { name }]) => name === pipelineToken.name && !(key in needs),
  );
}

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

const maxWaitMs = 5_000;

function withShortTimeouts(plugin: Plugin): Plugin {
  return {
    ...plugin,
    startTimeoutMs: Math.min(plugin.startTimeoutMs, maxWaitMs),
    stopTimeoutMs: Math.min(plugin.stopTimeoutMs, maxWaitMs),
  };
}

const settleMs = 500;
const checkEveryMs = 20;

/** Handles close a few turns of the event loop after `close`, so this checks repeatedly. */
async function findResourcesLeft(before: ResourceCounts): Promise<string[]> {
  let left: string[] = [];
  for (let waitedMs = 0; waitedMs < settleMs; waitedMs += checkEveryMs) {
    left = [...countResources()]
      .filter(([type, count]) => count > (before.get(type) ?? 0))
      .map(([type]) => type);
    if (left.length === 0) break;
    await sleep(checkEveryMs);
  }
  return left;
}

/** Faults of a plugin before it starts: in its name, summary and options. */
function findDefinitionFaults(plugin: Plugin, options: unknown): string[] {
  const faults: string[] = [];
  if (!/^[a-z][a-z0-9]*(-[a-z0-9]+)*$/.test(plugin.name))
    faults.push(`its name is not kebab-case: "${plugin.name}"`);
  if (!isOneSentence(plugin.summary)) faults.push(`its summary is not one sentence: "${plugin.summary}"`);
  for (const path of findUndescribed(plugin.options)) faults.push(`the option "${path}" has no description`);
  if (!refusesUnknown(plugin, options)) faults.push('it accepts an unknown option');
  return faults;
}

function isOneSentence(text: string): boolean {
  return /^[A-Z][^\n]*\.$/.test(text) && !/[.!?] +[A-Z]/.test(text);
}

/** The paths of the options without a description, those of nested maps, lists and variants included. */
function findUndescribed(schema: TSchema, path: readonly string[] = []): string[] {
  const below = Object.entries<TSchema>(schema['properties'] ?? {}).flatMap(([key, option]) => [
    ...(typeof option['description'] === 'string' && option['description'] !== ''
      ? []
      : [[...path, key].join('.')]),
    ...findUndescribed(option, [...path, key]),
  ]);
  const inner: readonly TSchema[] = [
    ...(schema['anyOf'] ?? []),
    ...(schema['items'] === undefined ? [] : [schema['items']].flat()),
    ...Object.values<TSchema>(schema['patternProperties'] ?? {}),
  ];
  return [...below, ...inner.flatMap((each) => findUndescribed(each, path))];
}

function refusesUnknown(plugin: Plugin, options: unknown): boolean {
  const raw = { ...(options as object | undefined), 'no-such-option': true };
  const sources = { baseDirectory: '/', secrets: { env: {}, directory: undefined } };
  return checkOptions(plugin.options, raw, sources).problems.some(({ path }) => path[0] === 'no-such-option');
}
