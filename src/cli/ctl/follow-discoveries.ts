import { setTimeout as pause } from 'node:timers/promises';
import type { AnswerBody, ApiClient } from '../../client/index.ts';
import type { DeviceRef } from '../../index.ts';
import type { StatusLine } from '../terminal/status-line.ts';

export type Discovery = AnswerBody<'getDiscovery'>;

const refreshMs = 250;
/** The most that the API lists at once. */
const maxListed = 1000;

/** Follows one discovery to its end, and shows how far it is. */
export async function followDiscovery(client: ApiClient, id: string, line: StatusLine): Promise<Discovery> {
  try {
    for (;;) {
      const { body } = await client.call('getDiscovery', { path: { id } });
      if (body.outcome !== undefined) return body;
      const { objects, total } = body.progress;
      if (body.state === 'waiting') line.show(`${body.device.name} waits for its turn`);
      else line.showShare(`objects of ${body.device.name}`, objects, total);
      await pause(refreshMs);
    }
  } finally {
    line.clear();
  }
}

/** The discoveries that have failed so far, by id: to be asked for before what may make others fail. */
export async function listFailures(client: ApiClient): Promise<ReadonlySet<string>> {
  return new Set((await listByState(client, 'failed')).map(({ id }) => id));
}

/** Follows the discoveries of these devices until none waits or runs; answers with those that failed since `earlier`. */
export async function followDiscoveries(
  client: ApiClient,
  devices: readonly DeviceRef[],
  earlier: ReadonlySet<string>,
  line: StatusLine,
): Promise<readonly Discovery[]> {
  const wanted = new Set(devices.map(keyOf));
  const isMeant = ({ device }: Discovery) => wanted.has(keyOf(device));
  try {
    for (;;) {
      const waiting = await listByState(client, 'waiting');
      const running = await listByState(client, 'running');
      const open = [...waiting, ...running].filter(isMeant).length;
      if (open === 0) break;
      line.showShare('devices rediscovered', Math.max(0, wanted.size - open), wanted.size);
      await pause(refreshMs);
    }
  } finally {
    line.clear();
  }
  const failed = await listByState(client, 'failed');
  return failed.filter((discovery) => isMeant(discovery) && !earlier.has(discovery.id));
}

async function listByState(client: ApiClient, state: Discovery['state']): Promise<readonly Discovery[]> {
  const { body } = await client.call('listDiscoveries', { query: { state, limit: maxListed } });
  return body.discoveries;
}

function keyOf({ ip, port }: DeviceRef): string {
  return `${ip} ${port}`;
}
