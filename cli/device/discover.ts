import { setTimeout as pause } from 'node:timers/promises';
import type { AnswerBody, ApiClient } from '../../src/client/index.ts';
import { WaywiserError } from '../../src/kernel/index.ts';
import { colours } from '../terminal/colours.ts';
import { exitCodes } from '../terminal/exit-codes.ts';
import { counted, plainText } from '../terminal/plain-text.ts';
import { StatusLine } from '../terminal/status-line.ts';
import { formatTable } from '../terminal/table.ts';
import { formatMilliseconds } from '../terminal/time-text.ts';
import type { DevicePlace } from './device-text.ts';

export interface DiscoverOptions {
  readonly wait?: boolean;
  readonly json?: boolean;
}

export type Discovery = AnswerBody<'getDiscovery'>;
type Inventory = AnswerBody<'getInventory'>;

/** Discovers a device and prints what it has. Throws the code that the discovery failed with. */
export async function discoverDevice(
  client: ApiClient,
  place: DevicePlace,
  { wait = true, json = false }: DiscoverOptions,
): Promise<number> {
  if (!wait) {
    const { body } = await requestDiscovery(client, place);
    const { device, discovery } = body;
    const joined = discovery.joined ? ', requested earlier' : '';
    const text = `${plainText(device.name)}: discovery ${discovery.id} is ${discovery.state}${joined}.`;
    console.log(json ? JSON.stringify(body, undefined, 2) : text);
    return exitCodes.done;
  }
  const ended = await runDiscovery(client, place);
  if (ended.outcome?.ok !== true) {
    if (!json) throw failureOf(ended);
    console.log(JSON.stringify(ended, undefined, 2));
    return exitCodes.failed;
  }
  const { body: inventory } = await client.call('getInventory', { path: place });
  console.log(
    json ? JSON.stringify({ ...ended, inventory }, undefined, 2) : formatDiscovery(ended, inventory),
  );
  return exitCodes.done;
}

/** Discovers a device that was never discovered. Throws the code that the discovery failed with. */
export async function discoverFirst(client: ApiClient, place: DevicePlace): Promise<void> {
  const ended = await runDiscovery(client, place);
  if (ended.outcome?.ok !== true) throw failureOf(ended);
}

function requestDiscovery(client: ApiClient, { ip, port }: DevicePlace) {
  return client.call('rediscoverDevice', { body: { ip, port } });
}

const firstPauseMs = 10;
const longestPauseMs = 250;

/** Starts a discovery, or joins the one that waits, and shows its progress until it ends. */
async function runDiscovery(client: ApiClient, place: DevicePlace): Promise<Discovery> {
  const line = new StatusLine();
  const { id } = (await requestDiscovery(client, place)).body.discovery;
  try {
    for (let pauseMs = firstPauseMs; ; pauseMs = Math.min(2 * pauseMs, longestPauseMs)) {
      const { body } = await client.call('getDiscovery', { path: { id } });
      if (body.outcome !== undefined) return body;
      const { objects, total } = body.progress;
      if (body.state === 'waiting') line.show(`${body.device.name} waits for its turn`);
      else line.showShare(`objects of ${body.device.name}`, objects, total);
      await pause(pauseMs);
    }
  } finally {
    line.clear();
  }
}

function failureOf({ device, outcome }: Discovery): WaywiserError {
  return new WaywiserError(
    outcome?.code ?? '',
    `${device.name}: ${outcome?.message ?? 'the discovery failed'}`,
  );
}

function formatDiscovery(discovery: Discovery, inventory: Inventory): string {
  const { added = {}, removed = {} } = discovery.outcome?.change ?? {};
  const rows = inventory.objects
    .filter(
      ({ id, instances, partial }) =>
        instances.length > 0 || removed[id] !== undefined || partial !== undefined,
    )
    .map(({ id, instances, partial }) => [
      id,
      String(instances.length),
      added[id] === undefined ? '' : colours.green(`+${added[id]}`),
      removed[id] === undefined ? '' : colours.red(`-${removed[id]}`),
      partial === undefined ? '' : colours.yellow(`incomplete: ${partial}`),
    ]);
  return [
    formatIdentity(discovery, inventory),
    formatTable(['object', 'instances', 'new', 'gone', ''], rows),
    formatSummary(discovery, inventory, rows.length),
  ].join('\n\n');
}

function formatIdentity(
  { device }: Discovery,
  { sysObjectId, address, deviceGroups = [] }: Inventory,
): string {
  const identity = sysObjectId === undefined ? '' : `, sysObjectID ${sysObjectId}`;
  return `${colours.bold(plainText(device.name))} answered at ${address}${identity}\ndevice groups: ${deviceGroups.join(', ')}`;
}

function formatSummary({ outcome, packets }: Discovery, { generation }: Inventory, found: number): string {
  const { objects = 0, instances = 0 } = outcome?.change ?? {};
  const duration = formatMilliseconds(outcome?.durationMs ?? 0);
  const absent =
    objects > found ? ` Not on this device: ${counted(objects - found, 'object')} of its groups.` : '';
  const cost = packets === undefined ? '' : `${counted(packets, 'packet')} and `;
  return `Found ${counted(instances, 'instance')} of ${counted(found, 'object')} in ${cost}${duration} (generation ${generation}).${absent}`;
}
