import { existsSync, readdirSync, rmSync } from 'node:fs';
import { join } from 'node:path';
import type { ConfiguredPlugin, Logger } from '../../../src/kernel/index.ts';
import type { QueueSettings } from '../../../src/pipeline/index.ts';
import { DiskQueue, queueDirectory } from '../../../src/pipeline/index.ts';
import { chooseOwners, shardOf } from '../../../src/sharding/index.ts';
import { checkUnlocked, Journal } from '../../../src/storage/index.ts';

/** Where the workers of a collector keep their state, each in a directory of its name. */
export function workersDirectory(stateDirectory: string): string {
  return join(stateDirectory, 'workers');
}

/** The journals whose entries are about one device each, with the device that a key is about. */
const deviceJournals = [
  {
    path: join('snmp-discovery', 'inventories.journal'),
    /** `192.0.2.1 161` */
    parse: (key: string) => /^(?<ip>\S+) (?<port>\d+)$/.exec(key),
  },
  {
    path: join('snmp-client', 'learned.journal'),
    /** `learned 192.0.2.1:161`, perhaps with a context, and `engine [2001:db8::1]:161`. */
    parse: (key: string) => /^\w+ \[?(?<ip>[^\s\]]+?)\]?:(?<port>\d+)(?: |$)/.exec(key),
  },
] as const;

export interface StateMove {
  /** Of the parent, or of the process that is alone. */
  readonly stateDirectory: string;
  /** The workers that are about to begin; empty for a process that is alone. */
  readonly workers: readonly string[];
  readonly plugins: readonly ConfiguredPlugin[];
  readonly log: Logger;
}

/**
 * Brings what another number of processes has kept to where it is needed now: what is known of a device to its owner, and the queues of
 * workers that do not exist any more to this process. Nobody else may use the directories. When it is interrupted, the next call does the
 * rest: nothing is removed before it is written at its new place.
 */
export async function moveWorkerState({ stateDirectory, workers, plugins, log }: StateMove): Promise<void> {
  const directory = workersDirectory(stateDirectory);
  const found = existsSync(directory) ? readdirSync(directory) : [];
  for (const name of found) checkUnlocked(join(directory, name));
  const former = found.filter((name) => !workers.includes(name));
  const places = new Map([...found, ...workers].map((name) => [name, join(directory, name)]));
  const isNew = workers.some((name) => !found.includes(name));
  const owners = chooseOwners(workers.map((name) => ({ name, weight: 1 })));
  let moved = 0;
  for (const { path, parse } of deviceJournals) {
    const own = join(stateDirectory, path);
    if (former.length === 0 && !isNew && Journal.read(own).values.size === 0) continue;
    const ownerOf = (key: string): string => {
      const { ip, port } = parse(key)?.groups ?? {};
      const owner = ip === undefined ? undefined : owners[shardOf({ ip, port: Number(port) })];
      return owner === undefined ? own : join(places.get(owner)!, path);
    };
    moved += moveEntries([own, ...[...places.values()].map((place) => join(place, path))], ownerOf);
  }
  let batches = 0;
  for (const name of former)
    batches += await moveQueues(name, places.get(name)!, stateDirectory, plugins, log);
  if (moved + batches > 0)
    log.info({ entries: moved, batches }, 'The state of other workers was taken over.');
  for (const name of former) removeIfEmpty(places.get(name)!);
}

/** Brings each entry to the journal that `placeOf` names. Of two entries with the same key, the newer one stays. */
function moveEntries(paths: readonly string[], placeOf: (key: string) => string): number {
  const failures: unknown[] = [];
  const onError = (error: unknown) => failures.push(error);
  const opened = new Map<string, ReturnType<typeof Journal.open>>();
  const open = (path: string) => {
    const known = opened.get(path) ?? Journal.open(path, { groupMs: 1_000, onError });
    opened.set(path, known);
    return known;
  };
  const leaving: [path: string, key: string][] = [];
  const arriving = new Map<string, unknown>();
  try {
    for (const path of paths) {
      if (!existsSync(path)) continue;
      for (const [key, value] of open(path).content.values) {
        const place = placeOf(key);
        if (place === path) continue;
        leaving.push([path, key]);
        const known =
          arriving.get(key) ?? opened.get(place)?.content.values.get(key) ?? readValue(place, key, open);
        if (known === undefined || ageOf(value) > ageOf(known)) arriving.set(key, value);
      }
    }
    for (const [key, value] of arriving) open(placeOf(key)).journal.set(key, value);
    for (const { journal } of opened.values()) journal.flush();
    if (failures.length > 0) throw failures[0];
    for (const [path, key] of leaving) open(path).journal.delete(key);
  } finally {
    for (const { journal } of opened.values()) journal.close();
  }
  return arriving.size;
}

function readValue(
  path: string,
  key: string,
  open: (path: string) => ReturnType<typeof Journal.open>,
): unknown {
  return existsSync(path) ? open(path).content.values.get(key) : undefined;
}

/** When an inventory was made; 0 for what has no time. */
function ageOf(value: unknown): number {
  const { discoveredMs } = (value ?? {}) as { readonly discoveredMs?: unknown };
  return typeof discoveredMs === 'number' ? discoveredMs : 0;
}

/** Brings what a worker has not delivered into the queues of this process. Returns the number of batches. */
async function moveQueues(
  worker: string,
  place: string,
  stateDirectory: string,
  plugins: readonly ConfiguredPlugin[],
  log: Logger,
): Promise<number> {
  let batches = 0;
  for (const { name, plugin, options } of plugins) {
    const { queue, disk_queue: disk } = options as Partial<QueueSettings>;
    if (plugin.kind !== 'output' || queue !== 'disk' || disk === undefined) continue;
    const from = queueDirectory(
      name,
      disk.directory === undefined ? join(place, 'queues') : join(disk.directory, worker),
    );
    const to = queueDirectory(name, disk.directory ?? join(stateDirectory, 'queues'));
    if (existsSync(from)) batches += await moveQueue(from, to, disk, log);
  }
  return batches;
}

async function moveQueue(
  from: string,
  to: string,
  disk: QueueSettings['disk_queue'],
  log: Logger,
): Promise<number> {
  const open = async (directory: string) =>
    DiskQueue.open(
      {
        directory,
        maxBytes: disk.max_bytes,
        maxAgeMs: 0,
        whenFull: disk.when_full,
        syncEveryMs: 0,
      },
      { onError: (error) => log.error({ error }, 'Moving a disk queue failed.') },
    );
  const source = await open(from);
  let moved = 0;
  let dropped = 0;
  try {
    if (source.size === 0) return 0;
    const target = await open(to);
    try {
      for (let batches = await source.peek(1_000); batches.length > 0; batches = await source.peek(1_000)) {
        for (const batch of batches) dropped += target.put(batch);
        moved += batches.length;
        source.confirm();
      }
    } finally {
      await target.close();
    }
  } finally {
    await source.close();
  }
  if (dropped > 0)
    log.warn({ queue: to, dropped }, 'The disk queues of former workers have no room in one queue.');
  rmSync(from, { recursive: true, force: true });
  return moved;
}

/** A directory that still contains something, such as the history, stays. */
function removeIfEmpty(directory: string): void {
  rmSync(join(directory, 'lock'), { recursive: true, force: true });
  const files = readdirSync(directory, { recursive: true, withFileTypes: true }).filter((each) =>
    each.isFile(),
  );
  const isDisposable = (name: string) => /\.journal$|^(definitions|snapshot)/.test(name);
  if (files.every(({ name }) => isDisposable(name))) rmSync(directory, { recursive: true, force: true });
}
