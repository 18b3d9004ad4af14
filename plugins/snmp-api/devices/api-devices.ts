import type { FastifyRequest } from 'fastify';
import {
  type DevicePath,
  getAddressedDevice,
  parseDeviceAddress,
  parsePort,
} from '../../../src/http/index.ts';
import type { DeviceIdentity, DeviceState } from '../../../src/index.ts';
import { listShards } from '../../../src/sharding/index.ts';
import type { DeviceRegistry } from '../../device-registry/service.ts';
import type { ApiDevices } from '../../http-routes/service.ts';
import type { SnmpApiContext } from '../snmp-api-context.ts';

const devicePath = '/api/v1/snmp/devices/';
const rediscoverPath = '/api/v1/snmp/rediscover-device';

/** The devices of the collector, for what the API says about the collector and its cluster. */
export function apiDevices(context: Pick<SnmpApiContext, 'definitions' | 'registry' | 'shards'>): ApiDevices {
  const { definitions, registry } = context;
  return {
    get size() {
      return registry.size;
    },
    get generation() {
      return definitions.current.number;
    },
    devices: () => registry.devices(),
    countStates: () => countStates(context),
    listProblems: () => [
      ...(definitions.degraded === undefined
        ? []
        : ['The definition files have errors. Older definitions stay in use.']),
      ...(definitions.difference === undefined ? [] : [`${definitions.difference}.`]),
    ],
    findSubject: (request) => findSubject(request, registry),
  };
}

/** The number of devices in each state, of the devices that this process asks. */
export function countStates({
  registry,
  shards,
}: Pick<SnmpApiContext, 'registry' | 'shards'>): Record<DeviceState, number> {
  const counts = { unknown: 0, up: 0, suspect: 0, down: 0, recovering: 0 };
  const devices =
    shards.fleet === undefined
      ? registry.devices()
      : registry.devicesIn(listShards().filter((shard) => shards.owns(shard)));
  for (const { status } of devices) counts[status.state]++;
  return counts;
}

function findSubject(request: FastifyRequest, registry: DeviceRegistry): DeviceIdentity | undefined {
  const { method, routeOptions, params, body } = request;
  const path = routeOptions.url ?? '';
  if (path === rediscoverPath) {
    const { ip, port } = body as { readonly ip: string; readonly port: string | number };
    return registry.findDevice(parseDeviceAddress(ip), parsePort(port))?.ref;
  }
  // Devices of the API are kept by the member where they were added.
  if (!path.startsWith(devicePath) || method === 'PUT' || method === 'DELETE') return undefined;
  return getAddressedDevice(registry, params as DevicePath).ref;
}
