import { setImmediate } from 'node:timers/promises';
import { access, type DeviceRef, type Oid, Type } from '../../../../src/index.ts';
import { deviceRefSchema, listOf } from '../../../../src/internal.ts';
import type { RoutePlugin } from '../../../http-routes/service.ts';
import type { ApiContext } from '../api-context.ts';

/** Devices that are named for each root. */
const maxExamples = 5;
const devicesPerTurn = 2_000;

const schema = {
  operationId: 'listUncollected',
  tags: ['devices'],
  summary: 'Standard MIBs and vendors that devices answer and nothing collects, most frequent first',
  description:
    'From the inventories of devices with `objects: auto`. What many devices answer is worth a definition: `waywiser draft DEVICE --mibs DIRECTORY` writes one.',
  response: {
    200: Type.Object(
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
      },
      { title: 'UncollectedList' },
    ),
  },
};

/** The fleet report: what to write definitions for next. */
export function listUncollected({ registry, discovery }: ApiContext): RoutePlugin {
  return async (app) => {
    app.get('/api/v1/snmp/uncollected', { config: access('read'), schema }, async () => {
      const found = new Map<Oid, { devices: number; readonly examples: DeviceRef[] }>();
      let devices = 0;
      let position = 0;
      for (const device of registry.devices()) {
        if (++position % devicesPerTurn === 0) await setImmediate();
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
