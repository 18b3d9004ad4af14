import { setImmediate } from 'node:timers/promises';
import { access, type Static, Type } from '../../../../src/index.ts';
import { listOf } from '../../../../src/internal.ts';
import type { Device } from '../../../device-registry/service.ts';
import type { RoutePlugin } from '../../../http-routes/service.ts';
import type { ApiContext } from '../api-context.ts';
import { cursorOf, pageFacts, pageQuery, positionOf } from '../pages.ts';
import { createIsoTime, deviceStateSchema, deviceSummarySchema, summarizeDevice } from './device-schema.ts';

const querySchema = Type.Object(
  {
    state: Type.Optional(deviceStateSchema),
    group: Type.Optional(Type.String({ maxLength: 200, description: 'a device group of the device' })),
    tag: Type.Optional(
      Type.String({ maxLength: 200, description: 'a tag of the device, such as site or site=lab' }),
    ),
    text: Type.Optional(Type.String({ maxLength: 200, description: 'part of the name or address' })),
    ...pageQuery,
  },
  { additionalProperties: false },
);

const schema = {
  operationId: 'listDevices',
  tags: ['devices'],
  summary: 'Devices, page by page',
  querystring: querySchema,
  response: {
    200: Type.Object(
      {
        devices: listOf(deviceSummarySchema),
        ...pageFacts,
      },
      { title: 'DeviceList' },
    ),
  },
};

/** A filter may have to check a hundred thousand devices. After this many, polling gets a turn. */
const devicesPerTurn = 2000;

export function listDevices({ registry, discovery }: ApiContext): RoutePlugin {
  return async (app) => {
    app.get('/api/v1/snmp/devices', { config: access('read'), schema }, async ({ query }) => {
      const { limit, cursor, ...filters } = query;
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
        if (!isWanted(device, query)) continue;
        const groups = device.settings.device_groups ?? discovery.findInventory(device)?.deviceGroups ?? [];
        if (query.group !== undefined && !groups.includes(query.group)) continue;
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
    });
  };
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
