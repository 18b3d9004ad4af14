import type { ApiClient } from '../../src/client/index.ts';
import { exitCodes } from '../terminal/exit-codes.ts';
import { counted, plainText } from '../terminal/plain-text.ts';
import { formatTable } from '../terminal/table.ts';

/** `waywiser ctl members`: the collectors that share the devices, and what each of them owns. */
export async function listMembers(client: ApiClient, { json }: { readonly json?: boolean }): Promise<number> {
  const { body } = await client.call('getCluster', {});
  if (json) {
    console.log(JSON.stringify(body, undefined, 2));
    return exitCodes.done;
  }
  if (!body.isClustered) {
    console.log('This collector is alone: it has no plugin `cluster`, and asks all devices itself.');
    return exitCodes.done;
  }
  const rows = body.members.map(({ name, address = '', version, weight, shards, devices, isSelf }) => [
    `${plainText(name)}${isSelf ? ' *' : ''}`,
    plainText(address),
    plainText(version),
    String(weight),
    String(shards),
    String(devices),
  ]);
  console.log(formatTable(['member', 'address', 'version', 'weight', 'shards', 'devices'], rows));
  const lease =
    body.leaseAgeSeconds === undefined
      ? ''
      : `, its lease was renewed ${body.leaseAgeSeconds.toFixed(1)} s ago`;
  console.log(`${counted(rows.length, 'member')}; * answered${lease}.`);
  if (body.unownedShards > 0)
    console.log(`Nobody asks the devices of ${counted(body.unownedShards, 'shard')}.`);
  if (body.degraded !== undefined)
    console.log(`This member is not sure of its shards: ${plainText(body.degraded)}.`);
  return exitCodes.done;
}
