import { setImmediate } from 'node:timers/promises';
import { fleetFacts, fleetQuery, fleetRead, listOf, wantedShards } from '../../../src/http/index.ts';
import { type Static, Type } from '../../../src/index.ts';
import type { RoutePlugin } from '../../http-routes/service.ts';
import type { SnmpApiContext } from '../snmp-api-context.ts';
import { vendorOf } from './vendors.ts';

const answerSchema = Type.Object(
  {
    vendors: listOf(
      Type.Object({ vendor: Type.String(), devices: Type.Integer() }, { title: 'VendorCount' }),
    ),
    ...fleetFacts,
  },
  { title: 'VendorList' },
);

type Answer = Static<typeof answerSchema>;

const schema = {
  operationId: 'listVendors',
  tags: ['devices'],
  summary: 'The makers of the devices, most devices first',
  description: 'By the sysObjectIDs of devices that were discovered.',
  querystring: Type.Object(fleetQuery, { additionalProperties: false }),
  response: { 200: answerSchema },
};

const devicesPerTurn = 2000;

export function listVendors({
  registry,
  discovery,
}: Pick<SnmpApiContext, 'registry' | 'discovery'>): RoutePlugin {
  return async (app) => {
    app.get('/api/v1/snmp/vendors', { config: fleetRead(mergeVendors), schema }, async (request) => {
      const shards = wantedShards(request);
      const counts = new Map<string, number>();
      let position = 0;
      for (const device of shards === undefined ? registry.devices() : registry.devicesIn(shards)) {
        if (++position % devicesPerTurn === 0) await setImmediate();
        const vendor = vendorOf(discovery.findInventory(device)?.sysObjectId);
        if (vendor !== undefined) counts.set(vendor, (counts.get(vendor) ?? 0) + 1);
      }
      return describe(counts);
    });
  };
}

function mergeVendors(answers: readonly Answer[]): Answer {
  const counts = new Map<string, number>();
  for (const { vendor, devices } of answers.flatMap(({ vendors }) => vendors))
    counts.set(vendor, (counts.get(vendor) ?? 0) + devices);
  return describe(counts);
}

function describe(counts: ReadonlyMap<string, number>): Answer {
  const vendors = [...counts].map(([vendor, devices]) => ({ vendor, devices }));
  return { vendors: vendors.sort((a, b) => b.devices - a.devices || (a.vendor < b.vendor ? -1 : 1)) };
}
