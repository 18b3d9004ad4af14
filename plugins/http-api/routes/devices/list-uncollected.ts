import { setImmediate } from 'node:timers/promises';
import { type DeviceRef, type Oid, type Static, Type } from '../../../../src/index.ts';
import {
  deviceRefSchema,
  fleetFacts,
  fleetQuery,
  fleetRead,
  listOf,
  shardOf,
  wantedShards,
} from '../../../../src/internal.ts';
import type { RoutePlugin } from '../../../http-routes/service.ts';
import type { ApiContext } from '../api-context.ts';

/** Devices that are named for each root. */
const maxExamples = 5;
const devicesPerTurn = 2_000;

const answerSchema = Type.Object(
  {
    roots: listOf(
      Type.Object(
        {
          root: Type.String({ description: 'the OID of the MIB or the vendor' }),
          devices: Type.Integer({ description: 'how many devices answer it' }),
          examples: listOf(deviceRefSchema),
        },
        { title: 'UncollectedRoot' },
      ),
    ),
    devices: Type.Integer({ description: 'devices with `objects: auto` that were discovered' }),
    ...fleetFacts,
  },
  { title: 'UncollectedList' },
);

type Answer = Static<typeof answerSchema>;

const schema = {
  operationId: 'listUncollected',
  tags: ['devices'],
  summary: 'Standard MIBs and vendors that devices answer and nothing collects, most frequent first',
  description:
    'From the inventories of devices with `objects: auto`. What many devices answer is worth a definition: `waywiser draft DEVICE --mibs DIRECTORY` writes one.',
  querystring: Type.Object(fleetQuery, { additionalProperties: false }),
  response: { 200: answerSchema },
};

/** The fleet report: what to write definitions for next. */
export function listUncollected({ registry, discovery }: ApiContext): RoutePlugin {
  return async (app) => {
    app.get('/api/v1/snmp/uncollected', { config: fleetRead(mergeUncollected), schema }, async (request) => {
      const shards = wantedShards(request);
      const found = new Map<Oid, { devices: number; readonly examples: DeviceRef[] }>();
      let devices = 0;
      let position = 0;
      for (const device of registry.devices()) {
        if (++position % devicesPerTurn === 0) await setImmediate();
        if (shards !== undefined && !shards.has(shardOf(device.ref))) continue;
        const auto = discovery.findInventory(device)?.auto;
        if (auto === undefined) continue;
        devices++;
        for (const root of auto.uncollected) {
          const line = found.get(root) ?? { devices: 0, examples: [] };
          found.set(root, line);
          line.devices++;
          if (line.examples.length < maxExamples) line.examples.push(device.ref);
        }
      }
      const roots = Array.from(found, ([root, line]) => ({ root, ...line }));
      return { roots: roots.sort((a, b) => b.devices - a.devices), devices };
    });
  };
}

function mergeUncollected(answers: readonly Answer[]): Answer {
  const found = new Map<string, Answer['roots'][number]>();
  for (const { root, devices, examples } of answers.flatMap(({ roots }) => roots)) {
    const known = found.get(root) ?? { root, devices: 0, examples: [] };
    const all = [...known.examples, ...examples].slice(0, maxExamples);
    found.set(root, { root, devices: known.devices + devices, examples: all });
  }
  const roots = [...found.values()].sort((a, b) => b.devices - a.devices);
  return { roots, devices: answers.reduce((sum, { devices }) => sum + devices, 0) };
}
