import { Readable } from 'node:stream';
import { setImmediate } from 'node:timers/promises';
import { leftOutReasonSchema } from '../../../src/definitions/index.ts';
import { type DevicePath, devicePaths, getAddressedDevice, listOf } from '../../../src/http/index.ts';
import {
  type AutoInventory,
  access,
  type Inventory,
  type ObjectInventory,
  Type,
} from '../../../src/index.ts';
import { explainCut } from '../../../src/model/index.ts';
import type { Device } from '../../device-registry/service.ts';
import type { RoutePlugin } from '../../http-routes/service.ts';
import { describeRun, discoverySchema } from '../discoveries/discovery-schema.ts';
import type { SnmpApiContext } from '../snmp-api-context.ts';
import { deviceSummarySchema, showSettings, summarizeDevice } from './device-schema.ts';
import { LastContacts, lastErrorSchema, lastPollSchema } from './last-contacts.ts';
import { describeLearned, learnedSchema, learnedSubjectOf } from './learned-limits.ts';
import { reasonsOf } from './reasons-of.ts';

const inventoryFacts = {
  version: Type.Integer(),
  discoveredAt: Type.String({ format: 'date-time' }),
  generation: Type.Integer(),
  sysObjectId: Type.Optional(Type.String()),
  address: Type.String(),
  deviceGroups: listOf(Type.String()),
};

const cutSchema = Type.Object(
  {
    limit: Type.String({ description: 'the option of snmp-discovery that was reached' }),
    value: Type.Integer(),
    objects: listOf(Type.String({ description: 'an object with missing instances' })),
    text: Type.String({ description: 'what happened and what to do' }),
  },
  {
    title: 'InventoryCut',
    description: 'present when the device has more than a limit of the discovery allows',
  },
);

const autoSchema = Type.Object(
  {
    roots: listOf(
      Type.String({ description: 'a standard MIB or a vendor of which the device answers something' }),
    ),
    uncollected: listOf(Type.String({ description: 'one of these of which nothing is collected' })),
    why: Type.Record(Type.String(), listOf(leftOutReasonSchema), {
      description: 'for each of these, why its objects are not collected',
    }),
    leftOut: Type.Record(Type.String(), Type.String(), {
      description:
        'objects that were looked for and are not collected, and why: `replaced by OBJECT`, `budget`, `cut`, `silent` or `no_rows`',
    }),
    silentRoots: Type.Optional(
      listOf(Type.String({ description: 'a root below which not everything could be asked for' })),
    ),
  },
  { title: 'AutoInventory', description: 'present for a device with `objects: auto`' },
);

const detailSchema = {
  operationId: 'getDevice',
  tags: ['devices'],
  summary: 'One device: settings, state, inventory, learned limits, last discovery, last poll, last error',
  response: {
    200: Type.Composite(
      [
        deviceSummarySchema,
        Type.Object({
          settings: Type.Record(
            Type.String(),
            Type.Object(
              { value: Type.Unknown(), origin: Type.String({ description: 'where the setting comes from' }) },
              { title: 'DeviceSetting' },
            ),
            { description: 'without secrets' },
          ),
          origin: Type.Object(
            { file: Type.String(), line: Type.Integer() },
            { description: 'where the device is defined; empty for a device of the API' },
          ),
          inventory: Type.Optional(
            Type.Object(
              {
                ...inventoryFacts,
                objects: Type.Integer(),
                instances: Type.Integer(),
                auto: Type.Optional(autoSchema),
                cut: Type.Optional(cutSchema),
              },
              { title: 'InventorySummary' },
            ),
          ),
          learned: Type.Optional(learnedSchema),
          lastDiscovery: Type.Optional(discoverySchema),
          lastPoll: Type.Optional(lastPollSchema),
          lastError: Type.Optional(lastErrorSchema),
        }),
      ],
      { title: 'DeviceDetails' },
    ),
  },
};

/** Instances that are written in one turn of the event loop: a table may be long. */
const instancesPerTurn = 5_000;

async function* writeInventory(
  facts: object | undefined,
  objects: readonly (readonly [id: string, ObjectInventory])[],
): AsyncGenerator<string> {
  const head = JSON.stringify({ ...facts, objects: [] });
  yield head.slice(0, -2);
  for (const [position, [id, { instances, partial }]] of objects.entries()) {
    const object = JSON.stringify({ id, partial, instances: [] });
    yield `${position === 0 ? '' : ','}${object.slice(0, -2)}`;
    for (let from = 0; from < instances.length; from += instancesPerTurn) {
      if (from > 0) await setImmediate();
      const some = JSON.stringify(instances.slice(from, from + instancesPerTurn)).slice(1, -1);
      yield from === 0 ? some : `,${some}`;
    }
    yield ']}';
  }
  yield ']}';
}

const inventorySchema = {
  operationId: 'getInventory',
  tags: ['devices'],
  summary: 'The inventory of a device; empty before its first discovery',
  response: {
    200: Type.Object(
      {
        ...Type.Partial(Type.Object(inventoryFacts)).properties,
        objects: listOf(
          Type.Object({
            id: Type.String(),
            instances: listOf(Type.String()),
            partial: Type.Optional(
              Type.String({ description: 'why the walk did not reach the end of the object' }),
            ),
          }),
        ),
      },
      { title: 'Inventory' },
    ),
  },
};

export function oneDevice({
  registry,
  definitions,
  client,
  discovery,
  events,
  now,
}: Pick<
  SnmpApiContext,
  'registry' | 'definitions' | 'client' | 'discovery' | 'events' | 'now'
>): RoutePlugin {
  const contacts = new LastContacts(events, now);
  const find = (path: DevicePath) => {
    const device = getAddressedDevice(registry, path);
    const inventory = discovery.findInventory(device);
    const facts = inventory && {
      version: inventory.version,
      discoveredAt: new Date(inventory.discoveredMs).toISOString(),
      generation: inventory.generation,
      ...(inventory.sysObjectId === undefined ? {} : { sysObjectId: inventory.sysObjectId }),
      address: inventory.address,
      deviceGroups: inventory.deviceGroups,
    };
    const cut = inventory?.cut && {
      cut: { ...inventory.cut, text: `The inventory was ${explainCut(inventory.cut)}.` },
    };
    const auto = inventory?.auto && { auto: describeAuto(device, inventory, inventory.auto) };
    return { device, objects: [...(inventory?.objects ?? [])], facts, cut, auto };
  };

  return async (app) => {
    const config = access('read');
    for (const { path, params, suffix } of devicePaths) {
      const details = { ...detailSchema, params, operationId: detailSchema.operationId + suffix };
      app.get(path, { config, schema: details }, async (request) => showDetails(request.params));
      const inventory = { ...inventorySchema, params, operationId: inventorySchema.operationId + suffix };
      app.get(`${path}/inventory`, { config, schema: inventory }, async (request, reply) => {
        const { objects, facts } = find(request.params);
        const body = Readable.from(writeInventory(facts, objects));
        // The schema describes what the stream holds.
        return reply.type('application/json; charset=utf-8').send(body as never);
      });
    }
  };

  function describeAuto({ settings }: Device, { deviceGroups }: Inventory, auto: AutoInventory) {
    const roots = reasonsOf(definitions.current).explain(auto, settings.device_groups ?? deviceGroups);
    return { ...auto, why: Object.fromEntries(roots.map(({ root, why }) => [root, why])) };
  }

  function showDetails(path: DevicePath) {
    const { device, objects, facts, cut, auto } = find(path);
    const instances = objects.reduce((sum, [, object]) => sum + object.instances.length, 0);
    const { ip, port } = device.ref;
    const run = discovery.runs.find((each) => each.device.ip === ip && each.device.port === port);
    const learned = client.findLearned(learnedSubjectOf(device, facts?.address ?? ip));
    return {
      ...summarizeDevice(device, facts),
      settings: showSettings(device),
      origin: device.origin,
      ...(facts === undefined
        ? {}
        : { inventory: { ...facts, objects: objects.length, instances, ...auto, ...cut } }),
      ...(learned === undefined ? {} : { learned: describeLearned(learned, now()) }),
      ...(run === undefined ? {} : { lastDiscovery: describeRun(run) }),
      ...contacts.describe(device.ref),
    };
  }
}
