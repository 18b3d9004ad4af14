import { setImmediate } from 'node:timers/promises';
import { type LeftOutReason, leftOutReasonSchema, leftOutWords } from '../../../src/definitions/index.ts';
import {
  deviceRefSchema,
  fleetFacts,
  fleetQuery,
  fleetRead,
  listOf,
  wantedShards,
} from '../../../src/http/index.ts';
import { type DeviceRef, type Oid, type Static, Type } from '../../../src/index.ts';
import { shardOf } from '../../../src/sharding/index.ts';
import type { RoutePlugin } from '../../http-routes/service.ts';
import type { SnmpApiContext } from '../snmp-api-context.ts';
import { reasonsOf } from './reasons-of.ts';

/** Devices that are named for each root. */
const maxExamples = 5;
const devicesPerTurn = 2_000;

const reasonsSchema = Type.Unsafe<readonly { readonly reason: LeftOutReason; readonly devices: number }[]>(
  Type.Array(
    Type.Object(
      {
        reason: leftOutReasonSchema,
        devices: Type.Integer({ description: 'how many of these devices it applies to' }),
      },
      { title: 'UncollectedReason' },
    ),
    { description: 'most frequent first; several may apply to one device' },
  ),
);

const answerSchema = Type.Object(
  {
    roots: listOf(
      Type.Object(
        {
          root: Type.String({ description: 'the OID of the MIB or the vendor' }),
          devices: Type.Integer({ description: 'how many devices answer it' }),
          why: reasonsSchema,
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

function emptyRoot(): FoundRoot {
  return { devices: 0, reasons: new Map(), examples: [] };
}

interface FoundRoot {
  devices: number;
  readonly reasons: Map<LeftOutReason, number>;
  readonly examples: DeviceRef[];
}

/** The fleet report: what to write definitions for next. */
export function listUncollected({
  registry,
  definitions,
  discovery,
}: Pick<SnmpApiContext, 'registry' | 'definitions' | 'discovery'>): RoutePlugin {
  return async (app) => {
    app.get('/api/v1/snmp/uncollected', { config: fleetRead(mergeUncollected), schema }, async (request) => {
      const shards = wantedShards(request);
      const found = new Map<Oid, FoundRoot>();
      const reasons = reasonsOf(definitions.current);
      let devices = 0;
      let position = 0;
      for (const device of registry.devices()) {
        if (++position % devicesPerTurn === 0) await setImmediate();
        if (shards !== undefined && !shards.has(shardOf(device.ref))) continue;
        const inventory = discovery.findInventory(device);
        const auto = inventory?.auto;
        if (auto === undefined) continue;
        devices++;
        const groups = device.settings.device_groups ?? inventory!.deviceGroups;
        for (const { root, why } of reasons.explain(auto, groups)) {
          const line = found.get(root) ?? emptyRoot();
          found.set(root, line);
          line.devices++;
          for (const word of why) line.reasons.set(word, (line.reasons.get(word) ?? 0) + 1);
          if (line.examples.length < maxExamples) line.examples.push(device.ref);
        }
      }
      return { roots: [...found].map(describeRoot).sort(mostFirst), devices };
    });
  };
}

type Root = Answer['roots'][number];

function describeRoot([root, { devices, reasons, examples }]: readonly [Oid, FoundRoot]): Root {
  return { root, devices, why: listReasons(reasons), examples };
}

function listReasons(reasons: ReadonlyMap<LeftOutReason, number>): Root['why'] {
  return leftOutWords
    .map((reason) => ({ reason, devices: reasons.get(reason) ?? 0 }))
    .filter(({ devices }) => devices > 0)
    .sort(mostFirst);
}

/** Of equal ones the order stays the same from answer to answer. */
function mostFirst(
  a: { readonly devices: number; readonly root?: string },
  b: { readonly devices: number; readonly root?: string },
): number {
  return b.devices - a.devices || (a.root ?? '').localeCompare(b.root ?? '', 'en', { numeric: true });
}

function mergeUncollected(answers: readonly Answer[]): Answer {
  const found = new Map<string, FoundRoot>();
  for (const { root, devices, why, examples } of answers.flatMap(({ roots }) => roots)) {
    const line = found.get(root) ?? emptyRoot();
    found.set(root, line);
    line.devices += devices;
    for (const each of why)
      line.reasons.set(each.reason, (line.reasons.get(each.reason) ?? 0) + each.devices);
    line.examples.push(...examples.slice(0, maxExamples - line.examples.length));
  }
  const devices = answers.reduce((sum, answer) => sum + answer.devices, 0);
  return { roots: [...found].map(describeRoot).sort(mostFirst), devices };
}
