import { setImmediate } from 'node:timers/promises';
import { access, type Static, Type } from '../../../../src/index.ts';
import { listOf } from '../../../../src/internal.ts';
import type { Device } from '../../../device-registry/service.ts';
import type { RoutePlugin } from '../../../http-routes/service.ts';
import { problem } from '../../problem/problem.ts';
import type { ApiContext } from '../api-context.ts';
import { createIsoTime, deviceStateSchema, deviceSummarySchema, summarizeDevice } from './device-schema.ts';

const querySchema = Type.Object(
  {
    state: Type.Optional(deviceStateSchema),
    group: Type.Optional(Type.String({ maxLength: 200, description: 'a device group of the device' })),
    tag: Type.Optional(
      Type.String({ maxLength: 200, description: 'a tag of the device, such as site or site=lab' }),
    ),
    text: Type.Optional(Type.String({ maxLength: 200, description: 'part of the name or address' })),
    limit: Type.Integer({ minimum: 1, maximum: 1000, default: 100 }),
    cursor: Type.Optional(Type.String({ maxLength: 1000, description: '`next` of the previous page' })),
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
        total: Type.Integer({ description: 'the number of all devices of the collector' }),
        next: Type.Optional(
          Type.String({ description: 'the cursor of the next page; absent on the last page' }),
        ),
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
      const start = positionOf(query.cursor);
      const isoTime = createIsoTime();
      const devices: Static<typeof deviceSummarySchema>[] = [];
      let position = start;
      for (const device of registry.devices(start)) {
        position++;
        if ((position - start) % devicesPerTurn === 0) await setImmediate();
        if (!isWanted(device, query)) continue;
        const groups = device.settings.device_groups ?? discovery.findInventory(device)?.deviceGroups ?? [];
        if (query.group !== undefined && !groups.includes(query.group)) continue;
        if (devices.length === query.limit) {
          return { devices, total: registry.size, next: cursorOf(position - 1) };
        }
        devices.push(summarizeDevice(device, groups, isoTime));
      }
      return { devices, total: registry.size };
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

/** Devices keep their order. A page can repeat or miss a device only when devices are added or removed meanwhile. */
function cursorOf(position: number): string {
  return Buffer.from(`v1 ${position}`).toString('base64url');
}

function positionOf(cursor: string | undefined): number {
  if (cursor === undefined) return 0;
  const [, position] = /^v1 (\d{1,9})$/.exec(Buffer.from(cursor, 'base64url').toString()) ?? [];
  if (position === undefined)
    throw problem('HTTP_INPUT_INVALID', { reason: 'the cursor is not one that a page returned' });
  return Number(position);
}
