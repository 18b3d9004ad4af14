import { setImmediate } from 'node:timers/promises';
import { type Static, Type } from '../../../../src/index.ts';
import { fleetFacts, fleetQuery, fleetRead, listOf, wantedShards } from '../../../../src/internal.ts';
import type { Device } from '../../../device-registry/service.ts';
import type { RoutePlugin } from '../../../http-routes/service.ts';
import type { ApiContext } from '../api-context.ts';
import { cursorOf, pageFacts, pageQuery, positionOf } from '../pages.ts';
import { createIsoTime, deviceStateSchema, deviceSummarySchema, summarizeDevice } from './device-schema.ts';
import { cursorAfter, DevicesByName, mergePages } from './devices-by-name.ts';

const querySchema = Type.Object(
  {
    state: Type.Optional(deviceStateSchema),
    group: Type.Optional(Type.String({ maxLength: 200, description: 'a device group of the device' })),
    tag: Type.Optional(
      Type.String({ maxLength: 200, description: 'a tag of the device, such as site or site=lab' }),
    ),
    text: Type.Optional(Type.String({ maxLength: 200, description: 'part of the name or address' })),
    ...pageQuery,
    ...fleetQuery,
  },
  { additionalProperties: false },
);

const listSchema = Type.Object(
  {
    devices: listOf(deviceSummarySchema),
    ...pageFacts,
    ...fleetFacts,
  },
  { title: 'DeviceList' },
);

const schema = {
  operationId: 'listDevices',
  tags: ['devices'],
  summary: 'Devices, page by page',
  querystring: querySchema,
  response: { 200: listSchema },
};

/** A filter may have to check a hundred thousand devices. After this many, polling gets a turn. */
const devicesPerTurn = 2000;

export function listDevices({ registry, discovery, events }: ApiContext): RoutePlugin {
  const byName = new DevicesByName(registry, events);
  return async (app) => {
    const config = fleetRead<Static<typeof listSchema>, Static<typeof querySchema>>(mergePages);
    app.get('/api/v1/snmp/devices', { config, schema }, async (request) => {
      const { query } = request;
      const shards = wantedShards(request);
      return shards === undefined ? listAll(query) : listOfShards(query, shards);
    });
  };

  /** In the order of the registry. A collector that is alone reads a late page without the earlier ones. */
  async function listAll(query: Static<typeof querySchema>): Promise<Static<typeof listSchema>> {
    const { limit, cursor, scope: _, ...filters } = query;
    const start = positionOf(cursor);
    // Only with a filter does a page count the devices before and behind it.
    const isFiltered = Object.keys(filters).length > 0;
    const isoTime = createIsoTime();
    const devices: Static<typeof deviceSummarySchema>[] = [];
    let position = isFiltered ? 0 : start;
    let matching = 0;
    let next: string | undefined;
    for (const device of registry.devices(position)) {
      position++;
      if (position % devicesPerTurn === 0) await setImmediate();
      const groups = findWanted(device, query);
      if (groups === undefined) continue;
      matching++;
      if (position <= start) continue;
      if (devices.length < limit) {
        devices.push(summarizeDevice(device, groups, isoTime));
        continue;
      }
      next ??= cursorOf(position - 1);
      if (!isFiltered) break;
    }
    const total = isFiltered ? matching : registry.size;
    return { devices, total, ...(next === undefined ? {} : { next }) };
  }

  /** By name, so that the pages of several members fit together and the cursor means the same to each of them. */
  async function listOfShards(
    query: Static<typeof querySchema>,
    shards: ReadonlySet<number>,
  ): Promise<Static<typeof listSchema>> {
    const isoTime = createIsoTime();
    const devices: Static<typeof deviceSummarySchema>[] = [];
    const start = byName.positionAfter(query.cursor);
    let [total, position, hasMore] = [0, 0, false];
    for (const { device, shard } of byName.list()) {
      if (++position % devicesPerTurn === 0) await setImmediate();
      if (!shards.has(shard)) continue;
      const groups = findWanted(device, query);
      if (groups === undefined) continue;
      total++;
      if (position <= start) continue;
      if (devices.length < query.limit) devices.push(summarizeDevice(device, groups, isoTime));
      else hasMore = true;
    }
    return { devices, total, ...(hasMore ? { next: cursorAfter(devices.at(-1)!) } : {}) };
  }

  /** The device groups of a device that the filters select. */
  function findWanted(device: Device, query: Static<typeof querySchema>): readonly string[] | undefined {
    if (!isWanted(device, query)) return undefined;
    const groups = device.settings.device_groups ?? discovery.findInventory(device)?.deviceGroups ?? [];
    return query.group === undefined || groups.includes(query.group) ? groups : undefined;
  }
}

function isWanted(
  { ref, status, settings }: Device,
  { state, tag, text }: Static<typeof querySchema>,
): boolean {
  if (state !== undefined && status.state !== state) return false;
  if (text !== undefined && !`${ref.name} ${ref.ip}`.toLowerCase().includes(text.toLowerCase())) return false;
  if (tag === undefined) return true;
  const [key = '', ...value] = tag.split('=');
  const tags = settings.tags ?? {};
  return Object.hasOwn(tags, key) && (value.length === 0 || tags[key] === value.join('='));
}
