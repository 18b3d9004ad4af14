import { access, Type } from '../../../src/index.ts';
import { devicePaths, listOf } from '../../../src/internal.ts';
import type { RoutePlugin } from '../../http-routes/service.ts';
import {
  deviceCountersSchema,
  pollerCountersSchema,
  showDeviceCounters,
  showGaps,
} from './counter-schemas.ts';
import type { RouteTools } from './route-tools.ts';

const totalSchema = {
  operationId: 'getPolling',
  tags: ['collector'],
  summary: 'Counters and times of polling, for all devices together',
  response: { 200: pollerCountersSchema },
};

const slowestSchema = {
  operationId: 'listSlowest',
  tags: ['devices'],
  summary: 'The devices whose last poll took longest, slowest first',
  querystring: Type.Object(
    { limit: Type.Integer({ minimum: 1, maximum: 1000, default: 20 }) },
    { additionalProperties: false },
  ),
  response: { 200: Type.Object({ devices: listOf(deviceCountersSchema) }) },
};

const deviceSchema = {
  operationId: 'getDevicePolling',
  tags: ['devices'],
  summary: 'Counters and times of polling one device, its last failure and its next slots',
  response: {
    200: Type.Object(
      {
        counters: Type.Optional(deviceCountersSchema),
        next: listOf(Type.Object({ plan: Type.String(), inMs: Type.Number() })),
      },
      { title: 'DevicePolling' },
    ),
  },
};

export function pollingCounters({ poller, find }: RouteTools): RoutePlugin {
  return async (app) => {
    const config = access('read');
    app.get('/api/v1/snmp/polling', { config, schema: totalSchema }, async () => {
      const { gaps, ...counters } = poller.counters();
      return { ...counters, gaps: showGaps(gaps) };
    });
    app.get('/api/v1/snmp/slowest', { config, schema: slowestSchema }, async ({ query: { limit } }) => ({
      devices: poller.slowest(limit).map(showDeviceCounters),
    }));
    for (const { path, params, suffix } of devicePaths) {
      const schema = { ...deviceSchema, params, operationId: deviceSchema.operationId + suffix };
      app.get(`${path}/polling`, { config, schema }, async (request) => {
        const device = find(request.params);
        const counters = poller.deviceCounters(device);
        return {
          ...(counters === undefined ? {} : { counters: showDeviceCounters(counters) }),
          next: poller.upcoming(device),
        };
      });
    }
  };
}
