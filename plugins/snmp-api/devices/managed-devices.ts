import type { FastifyRequest, FastifySchemaCompiler } from 'fastify';
import {
  type DevicePath,
  devicePaths,
  getAddressedDevice,
  inputProblem,
  nameAuditedDevice,
  parseDeviceAddress,
  parsePort,
} from '../../../src/http/index.ts';
import { access, type DeviceIdentity, type Static, Type } from '../../../src/index.ts';
import type { DeviceProblem } from '../../definitions-loader/service.ts';
import type { Device } from '../../device-registry/service.ts';
import type { RoutePlugin } from '../../http-routes/service.ts';
import { problem } from '../problem.ts';
import type { SnmpApiContext } from '../snmp-api-context.ts';
import { summarizeDevice } from './device-schema.ts';
import {
  type AddressCheck,
  createAddressCheck,
  createSecretCheck,
  type SecretCheck,
} from './managed-device-checks.ts';
import {
  isDeviceName,
  managedDeviceSchema,
  newDeviceSchema,
  replacedDeviceSchema,
} from './managed-device-schema.ts';

const tags = ['devices'];
const notes =
  'Devices of the API are stored in the state directory. Their secrets must be references and are never returned. A device of the definition files takes precedence over a device of the API.';

const addSchema = {
  operationId: 'addDevice',
  tags,
  summary: 'Add a device',
  description: notes,
  body: newDeviceSchema,
  response: { 201: managedDeviceSchema },
};
const replaceSchema = {
  operationId: 'putDevice',
  tags,
  summary: 'Replace or add a device',
  description: notes,
  body: replacedDeviceSchema,
  response: { 200: managedDeviceSchema, 201: managedDeviceSchema },
};
const removeSchema = {
  operationId: 'removeDevice',
  tags,
  summary: 'Remove a device of the API, or a found device',
  description: 'A found device returns when a scan finds it again.',
  response: { 204: Type.Null({ description: 'The device is removed.' }) },
};

/** Adds, replaces and removes devices. The body is checked like a definition file, with the same problems, and by no schema before. */
export function managedDevices(context: SnmpApiContext): RoutePlugin {
  const { registry } = context;
  const config = access('admin');
  const validatorCompiler: FastifySchemaCompiler<unknown> = () => () => true;
  const list = '/api/v1/snmp/devices';

  return async (app, { managedDevices: rules }) => {
    const checks = { checkAddress: createAddressCheck(rules), checkSecrets: createSecretCheck(rules) };
    app.post(list, { config, schema: addSchema, validatorCompiler }, async (request, reply) => {
      const { name, settings, filled, warnings } = checkDevice(request.body, context, checks);
      const ip = parseDeviceAddress(settings.ip);
      const { port = 161 } = filled;
      const known = registry.findDevice(ip, port);
      if (known !== undefined) {
        refuseFileDevice(known);
        throw problem('HTTP_DEVICE_EXISTS', { name: known.ref.name, ip, port });
      }
      const device = await keep(request, name, { ...settings, ip, port }, checks);
      reply.header('location', `${list}/${encodeURIComponent(ip)}/${port}`);
      return reply.code(201).send(answer(device, warnings));
    });

    for (const { path, params, suffix } of devicePaths) {
      const replaced = { ...replaceSchema, params, operationId: replaceSchema.operationId + suffix };
      app.put(path, { config, schema: replaced, validatorCompiler }, async (request, reply) => {
        const { ip, port } = findPlace(request.params);
        const { name, settings, warnings } = checkDevice(request.body, context, checks, { ip, port });
        const known = registry.findDevice(ip, port);
        if (known !== undefined) refuseFileDevice(known);
        const device = await keep(request, name, settings, checks);
        return reply.code(known === undefined ? 201 : 200).send(answer(device, warnings));
      });

      const removed = { ...removeSchema, params, operationId: removeSchema.operationId + suffix };
      app.delete(path, { config, schema: removed }, async (request, reply) => {
        const device = getAddressedDevice(registry, request.params);
        refuseFileDevice(device);
        nameAuditedDevice(request, device.ref);
        const { ip, port } = device.ref;
        if (device.source === 'networks') registry.removeFound(ip, port, 'the API');
        else registry.removeManaged(ip, port);
        await registry.whenShared?.();
        return reply.code(204).send(null);
      });
    }
  };

  /** A new device has no name yet: only its address and port can be in the path. */
  function findPlace(path: DevicePath): DeviceIdentity {
    if ('device' in path) return getAddressedDevice(registry, path).ref;
    return { ip: parseDeviceAddress(path.ip), port: parsePort(path.port) };
  }

  async function keep(
    request: FastifyRequest,
    name: string,
    settings: Device['settings'],
    { checkAddress }: Checks,
  ): Promise<Device> {
    const { ip, port = 161 } = settings;
    nameAuditedDevice(request, { name, ip, port });
    const reason = checkAddress(ip);
    if (reason !== undefined) throw problem('HTTP_DEVICE_ADDRESS_REFUSED', { ip, reason });
    const namesake = registry.findDeviceNamed(name)?.ref;
    if (namesake !== undefined && (namesake.ip !== ip || namesake.port !== port)) {
      throw problem('HTTP_DEVICE_NAME_TAKEN', namesake);
    }
    const device = registry.putManaged(name, settings);
    await registry.whenShared?.();
    return device;
  }
}

interface Checks {
  readonly checkAddress: AddressCheck;
  readonly checkSecrets: SecretCheck;
}

interface CheckedDevice {
  readonly name: string;
  /** The settings of the body, and with defaults. */
  readonly settings: Device['settings'];
  readonly filled: Device['settings'];
  readonly warnings: readonly DeviceProblem[];
}

function checkDevice(
  body: unknown,
  { definitions }: Pick<SnmpApiContext, 'definitions'>,
  { checkSecrets }: Checks,
  identity?: { readonly ip: string; readonly port: number },
): CheckedDevice {
  if (typeof body !== 'object' || body === null || Array.isArray(body)) {
    throw inputProblem('the body must be an object');
  }
  const { name, ...given } = body as Readonly<Record<string, unknown>>;
  const problems: DeviceProblem[] = [];
  const refuse = (path: string, rule: string, message: string) =>
    problems.push({ level: 'error', path, rule, message });
  if (!isDeviceName(name)) {
    const message =
      'The device needs a name of at most 200 characters: letters, digits, spaces and . _ : @ / -';
    refuse('name', name === undefined ? 'missing-key' : 'bad-value', message);
  }
  for (const key of identity === undefined ? [] : ['ip', 'port']) {
    if (key in given)
      refuse(key, 'unknown-key', `The path contains the ${key} already. Leave it out of the body.`);
  }
  const shownName = isDeviceName(name) ? name : 'the device';
  const { settings, filled, problems: found } = definitions.checkDevice(shownName, { ...given, ...identity });
  problems.push(
    ...found.map((each) => harden(each, given)),
    ...(filled === undefined ? [] : checkSecrets(filled)),
  );
  const errors = problems.filter(({ level }) => level === 'error');
  if (errors.length > 0 || settings === undefined || filled === undefined || !isDeviceName(name)) {
    throw problem('HTTP_DEVICE_INVALID', { count: errors.length }, { problems });
  }
  return { name, settings, filled, warnings: problems };
}

/** Files may contain plain-text secrets. A client that adds a device must not have them sent to an address of its choice. */
function harden(found: DeviceProblem, given: Readonly<Record<string, unknown>>): DeviceProblem {
  if (found.rule !== 'plain-text-secret') return found;
  const [key = ''] = found.path.split('.');
  const message = `The defaults have ${key} in plain text, which a device of the API must not use. Give the device its own ${key}.`;
  return { ...found, level: 'error', ...(key in given ? {} : { message }) };
}

function refuseFileDevice(device: Device): void {
  if (device.source !== 'files') return;
  const { name, ip, port } = device.ref;
  throw problem('HTTP_DEVICE_OF_FILES', { name, ip, port, ...device.origin });
}

function answer(device: Device, warnings: CheckedDevice['warnings']): Static<typeof managedDeviceSchema> {
  return { ...summarizeDevice(device, undefined), warnings };
}
