import { devicePaths, fleetFacts, fleetQuery, fleetRead, listOf } from '../../../src/http/index.ts';
import { access, type Static, Type } from '../../../src/index.ts';
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
  querystring: Type.Object(fleetQuery, { additionalProperties: false }),
  response: { 200: pollerCountersSchema },
};

const slowestAnswer = Type.Object({ devices: listOf(deviceCountersSchema), ...fleetFacts });

const slowestSchema = {
  operationId: 'listSlowest',
  tags: ['devices'],
  summary: 'The devices whose last poll took longest, slowest first',
  querystring: Type.Object(
    { limit: Type.Integer({ minimum: 1, maximum: 1000, default: 20 }), ...fleetQuery },
    { additionalProperties: false },
  ),
  response: { 200: slowestAnswer },
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

type Total = Static<typeof pollerCountersSchema>;
type Slowest = Static<typeof slowestAnswer>;

/** Sums; of the percentiles, those of the slowest member. */
function addCounters([first, ...others]: readonly Total[]): Total {
  return others.reduce((sum, next) => addValues(sum, next) as Total, first!);
}

function addValues(a: unknown, b: unknown, key = ''): unknown {
  if (typeof a === 'number' && typeof b === 'number') return /^p\d+Ms$/.test(key) ? Math.max(a, b) : a + b;
  if (typeof a !== 'object' || typeof b !== 'object' || a === null || b === null) return a ?? b;
  const [left, right] = [a as Record<string, unknown>, b as Record<string, unknown>];
  const keys = new Set([...Object.keys(left), ...Object.keys(right)]);
  return Object.fromEntries(Array.from(keys, (each) => [each, addValues(left[each], right[each], each)]));
}

function mergeSlowest(answers: readonly Slowest[], { limit }: { readonly limit: number }): Slowest {
  const devices = answers.flatMap((answer) => answer.devices);
  return { devices: devices.sort((a, b) => b.slowestPlanMs - a.slowestPlanMs).slice(0, limit) };
}

export function pollingCounters({ poller, find }: RouteTools): RoutePlugin {
  return async (app) => {
    const config = access('read');
    app.get('/api/v1/snmp/polling', { config: fleetRead(addCounters), schema: totalSchema }, async () => {
      const { gaps, ...counters } = poller.counters();
      return { ...counters, gaps: showGaps(gaps) };
    });
    app.get(
      '/api/v1/snmp/slowest',
      { config: fleetRead(mergeSlowest), schema: slowestSchema },
      async ({ query: { limit } }) => ({
        devices: poller.slowest(limit).map(showDeviceCounters),
      }),
    );
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
