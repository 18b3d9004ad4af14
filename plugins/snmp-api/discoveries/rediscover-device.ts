import {
  deviceRefSchema,
  getDevice,
  nameAuditedDevice,
  parseDeviceAddress,
  parsePort,
  stoppingProblem,
  waitWithin,
} from '../../../src/http/index.ts';
import { access, Type } from '../../../src/index.ts';
import type { Device } from '../../device-registry/service.ts';
import type { RouteFacts, RoutePlugin } from '../../http-routes/service.ts';
import type { DiscoveryRun } from '../../snmp-discovery/service.ts';
import { problem } from '../problem.ts';
import type { SnmpApiContext } from '../snmp-api-context.ts';
import {
  describeRun,
  discoveryCauseSchema,
  discoverySchema,
  discoveryStateSchema,
} from './discovery-schema.ts';

const schema = {
  operationId: 'rediscoverDevice',
  tags: ['devices'],
  summary: 'Rediscover one device',
  description:
    'Discovers again what the device has. If a discovery of the device is already waiting, the request joins it.',
  querystring: Type.Object(
    { wait: Type.Boolean({ default: false, description: 'answer when the discovery has ended' }) },
    { additionalProperties: false },
  ),
  body: Type.Object(
    {
      ip: Type.String({
        maxLength: 300,
        description: 'an IPv4 or IPv6 address in any spelling, or a host name',
      }),
      port: Type.Union([Type.Integer(), Type.String({ maxLength: 20 })], {
        description: 'from 1 to 65535, as a number or as digits in text',
      }),
    },
    { additionalProperties: false, examples: [{ ip: '192.0.2.1', port: 161 }] },
  ),
  response: {
    200: Type.Object(
      {
        device: deviceRefSchema,
        discovery: Type.Composite([discoverySchema, Type.Object({ joined: Type.Boolean() })], {
          title: 'RequestedDiscovery',
        }),
      },
      { description: 'With wait=true: the discovery has ended, with or without success.' },
    ),
    202: Type.Object(
      {
        device: deviceRefSchema,
        discovery: Type.Object({
          id: Type.String(),
          cause: discoveryCauseSchema,
          state: discoveryStateSchema,
          joined: Type.Boolean({ description: 'true when an earlier request had already started it' }),
        }),
      },
      { description: 'The discovery waits or runs.' },
    ),
  },
};

/** Starts or joins a discovery of one device. */
export function rediscoverDevice({ registry, discovery }: SnmpApiContext): RoutePlugin {
  return async (app, facts) => {
    app.post(
      '/api/v1/snmp/rediscover-device',
      { config: access('operate'), schema },
      async (request, reply) => {
        const { body, query } = request;
        const device = getDevice(registry, parseDeviceAddress(body.ip), parsePort(body.port));
        nameAuditedDevice(request, device.ref);
        const { run, joined } = discovery.request(device, 'requested');
        if (query.wait) {
          await waitForEnd(run, device, facts);
          return { device: device.ref, discovery: { ...describeRun(run), joined } };
        }
        const { id, cause, state } = run;
        return reply.code(202).send({ device: device.ref, discovery: { id, cause, state, joined } });
      },
    );
  };
}

async function waitForEnd(
  run: DiscoveryRun,
  device: Device,
  { waitMs, stopping }: Pick<RouteFacts, 'waitMs' | 'stopping'>,
): Promise<void> {
  await waitWithin(run.ended, { waitMs, stopping });
  if (run.outcome !== undefined) return;
  if (stopping.aborted) throw stoppingProblem();
  const details = { id: run.id, device: device.ref.name, waitMs };
  throw problem('HTTP_DISCOVERY_RUNNING', details, { device: device.ref, discovery: describeRun(run) });
}
