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

/** Follows the discoveries of these devices until none waits or runs; answers with the last one of each that failed. */
export async function followDiscoveries(
  client: ApiClient,
  devices: readonly DeviceRef[],
  line: StatusLine,
): Promise<readonly Discovery[]> {
  const isMeant = new Set(devices.map(keyOf));
  const list = async (state: Discovery['state']) => {
    const { body } = await client.call('listDiscoveries', { query: { state, limit: maxListed } });
    return body.discoveries.filter(({ device }) => isMeant.has(keyOf(device)));
  };
  const earlier = new Set((await list('failed')).map(({ id }) => id));
  try {
    for (;;) {
      const open = [...(await list('waiting')), ...(await list('running'))].length;
      if (open === 0) break;
      line.showShare('devices rediscovered', Math.max(0, isMeant.size - open), isMeant.size);
      await pause(refreshMs);
    }
  } finally {
    line.clear();
  }
  return (await list('failed')).filter(({ id }) => !earlier.has(id));
}

function keyOf({ ip, port }: DeviceRef): string {
  return `${ip} ${port}`;
}
