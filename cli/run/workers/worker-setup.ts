import { join } from 'node:path';
import type { CollectorSetup } from '../../../src/collector/index.ts';
import type { Plugin } from '../../../src/kernel/index.ts';
import { checkOptions, explainError } from '../../../src/kernel/index.ts';
import type { QueueSettings } from '../../../src/pipeline/index.ts';
import { shardsToken } from '../../../src/sharding/index.ts';
import { workerFailure } from './errors.ts';

type ConfiguredSetup = Pick<CollectorSetup, 'keys' | 'plugins'>;
type SetupPlugin = CollectorSetup['plugins'][number];

/** The setup of the parent: all plugins, none of which asks a device. */
export function setUpParent({ keys, plugins }: ConfiguredSetup, shards: Plugin): ConfiguredSetup {
  if (plugins.some(({ plugin }) => plugin.name === 'cluster')) throw workerFailure('WORKERS_IN_CLUSTER', {});
  return { keys, plugins: plugins.map((each) => replaceShards(each, shards)) };
}

/** The setup of a worker: what works for the devices of shards, the outputs, and an HTTP API for the parent. */
export function setUpWorker(
  { keys, plugins }: ConfiguredSetup,
  name: string,
  stateDirectory: string,
  shards: Plugin,
): ConfiguredSetup {
  const kept = plugins.filter(({ plugin }) => worksForShards(plugin));
  return {
    keys: { ...keys, state_directory: stateDirectory },
    plugins: kept.map((each) => narrowPlugin(replaceShards(each, shards), name)),
  };
}

/** A source that knows nothing of shards, and a service that no plugin can use, run once: in the parent. */
function worksForShards({ name, kind, needs, provides }: Plugin): boolean {
  if (kind === 'api') return name === 'http-api';
  const runsAlone = kind === 'source' || (kind === 'service' && provides === undefined);
  if (!runsAlone || name === 'events') return true;
  return Object.values(needs).some((token) => token.name === shardsToken.name);
}

function replaceShards(each: SetupPlugin, shards: Plugin): SetupPlugin {
  return each.plugin.name === 'shards' ? { ...each, name: shards.name, plugin: shards } : each;
}

function narrowPlugin(each: SetupPlugin, worker: string): SetupPlugin {
  const { plugin, options } = each;
  if (plugin.name === 'http-api') return { ...each, options: narrowApi(plugin, options as ApiOptions) };
  // The parent receives, and the owner of a device polls what a notification names.
  if (plugin.name === 'snmp-traps')
    return { ...each, options: { ...(options as object), listen: [], forward: [], count_every_s: 0 } };
  if (plugin.name === 'events') return { ...each, options: narrowEvents(options as EventOptions) };
  if (plugin.kind !== 'output') return each;
  return { ...each, options: narrowOutput(plugin, options as OutputOptions, worker) };
}

interface ApiOptions {
  readonly wait_ms: number;
}

/** Only the other processes know the token that this server accepts. */
function narrowApi({ options }: Plugin, { wait_ms }: ApiOptions): unknown {
  const raw = {
    host: '127.0.0.1',
    port: 0,
    tokens: [{ name: 'none', role: 'read', sha256: '0'.repeat(64) }],
    wait_ms,
    limits: { requests_per_second: 1_000_000 },
  };
  const sources = { baseDirectory: '/', secrets: { env: {}, directory: undefined } };
  const { options: checked, problems } = checkOptions(options, raw, sources);
  if (checked === undefined) throw new Error(explainError(problems[0]?.message));
  return checked;
}

interface EventOptions {
  readonly events: readonly string[];
}

/** What concerns the whole collector is an event of the parent. */
const parentEvents = ['definitions', 'collector', 'member', 'worker', 'trap'];

function narrowEvents(options: EventOptions): unknown {
  return {
    ...options,
    events: options.events.filter((name) => !parentEvents.includes(name.split('.')[0] ?? '')),
  };
}

interface OutputOptions extends Partial<QueueSettings> {
  readonly file?: string;
  readonly directory?: string;
}

/** Files that only one process may write get a place for each worker. Nobody but the parent listens on a port. */
function narrowOutput({ name }: Plugin, options: OutputOptions, worker: string): unknown {
  const { disk_queue: disk } = options;
  const queue =
    disk?.directory === undefined ? {} : { disk_queue: { ...disk, directory: join(disk.directory, worker) } };
  if (name === 'prometheus')
    return { ...options, ...queue, port: undefined, token: undefined, insecure: false, allowed_hosts: [] };
  if (name === 'ndjson' && options.file !== undefined)
    return { ...options, ...queue, file: nameFile(options.file, worker) };
  if (name === 'batch-files') return { ...options, ...queue, directory: join(options.directory!, worker) };
  return { ...options, ...queue };
}

/** `records.ndjson` → `records.worker-1.ndjson`. */
function nameFile(path: string, worker: string): string {
  return path.replace(/(\.[^./\\]+)?$/, (extension) => `.${worker}${extension}`);
}
