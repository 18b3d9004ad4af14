import { setTimeout as pause } from 'node:timers/promises';
import type { ApiClient } from '../../src/client/index.ts';
import type { DeviceRef } from '../../src/index.ts';
import type { Discovery } from '../device/discover.ts';
import type { StatusLine } from '../terminal/status-line.ts';

const refreshMs = 250;
/** The API lists at most this many discoveries in one answer. */
const maxListed = 1000;

/** The ids of the discoveries that have ended so far. Call it before the request that may start others. */
export async function listEnded(client: ApiClient): Promise<ReadonlySet<string>> {
  const runs = await Promise.all(endedStates.map((state) => listByState(client, state)));
  return new Set(runs.flat().map(({ id }) => id));
}

/**
 * Follows the discoveries of these devices until none is waiting or running. Resolves to the devices' last discoveries that
 * failed, without those in `earlier`. The collector keeps only a few hundred ended discoveries, so they are collected as they end.
 */
export async function followDiscoveries(
  client: ApiClient,
  devices: readonly DeviceRef[],
  earlier: ReadonlySet<string>,
  line: StatusLine,
): Promise<readonly Discovery[]> {
  const wanted = new Set(devices.map(keyOf));
  const seen = new Set(earlier);
  const last = new Map<string, Discovery>();
  const collectEnded = async (): Promise<boolean> => {
    const before = seen.size;
    for (const state of endedStates) {
      // The list is newest first; the last one of each device must be the last that is seen.
      for (const run of (await listByState(client, state)).toReversed()) {
        if (seen.has(run.id) || !wanted.has(keyOf(run.device))) continue;
        seen.add(run.id);
        const known = last.get(keyOf(run.device));
        if (isLater(run, known)) last.set(keyOf(run.device), run);
      }
    }
    return seen.size > before;
  };
  try {
    for (;;) {
      const hasNew = await collectEnded();
      const isComplete = last.size === wanted.size;
      if ((isComplete || !hasNew) && !(await hasOpen(client, wanted))) break;
      line.showShare('devices rediscovered', last.size, wanted.size);
      await pause(refreshMs);
    }
    // Some may have ended between the last two requests.
    await collectEnded();
  } finally {
    line.clear();
  }
  return [...last.values()].filter(({ state }) => state === 'failed');
}

const endedStates = ['completed', 'failed'] as const;

function isLater({ endedAt = '' }: Discovery, known: Discovery | undefined): boolean {
  return known === undefined || endedAt >= (known.endedAt ?? '');
}

/** Whether a discovery of one of these devices is waiting or running. A full list may leave it out, so it counts as yes. */
async function hasOpen(client: ApiClient, wanted: ReadonlySet<string>): Promise<boolean> {
  for (const state of ['running', 'waiting'] as const) {
    const runs = await listByState(client, state);
    if (runs.length === maxListed || runs.some(({ device }) => wanted.has(keyOf(device)))) return true;
  }
  return false;
}

async function listByState(client: ApiClient, state: Discovery['state']): Promise<readonly Discovery[]> {
  const { body } = await client.call('listDiscoveries', { query: { state, limit: maxListed } });
  return body.discoveries;
}

function keyOf({ ip, port }: DeviceRef): string {
  return `${ip} ${port}`;
}
