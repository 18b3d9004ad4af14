import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import fastify from 'fastify';
import { listUncollected as showUncollected } from '../../../cli/ctl/uncollected.ts';
import type { RouteFacts } from '../../../plugins/http-routes/service.ts';
import { listUncollected } from '../../../plugins/snmp-api/devices/list-uncollected.ts';
import type { SnmpApiContext } from '../../../plugins/snmp-api/snmp-api-context.ts';
import type { ApiClient } from '../../../src/client/index.ts';
import { AutoCatalog } from '../../../src/definitions/selection/auto-catalog.ts';
import { printed } from '../../cli/support/printed.ts';

const acme = '1.3.6.1.4.1.64000';
const other = '1.3.6.1.4.1.64001';

/** By device: the roots that nothing collects; undefined where the group is not auto, or before the first discovery. */
const fleet: readonly (readonly [name: string, roots: readonly string[] | undefined])[] = [
  ['listed', undefined],
  ['covered', []],
  ['both', [other, acme]],
  ...Array.from({ length: 6 }, (_, i) => [`acme-${i}`, [acme]] as const),
  ['new', undefined],
];

interface Line {
  readonly root: string;
  readonly devices: number;
  readonly why: unknown;
  readonly examples: { readonly name: string }[];
}

async function answer() {
  const devices = fleet.map(([name], i) => ({
    ref: { name, ip: `192.0.2.${i}`, port: 161 },
    settings: { device_groups: ['auto'] },
    roots: fleet[i]![1],
  }));
  const context = {
    registry: { devices: () => devices },
    definitions: { current: { catalog: new AutoCatalog(new Map()), findDeviceGroup: () => undefined } },
    discovery: {
      findInventory: ({ roots }: (typeof devices)[number]) =>
        roots === undefined ? undefined : { auto: { roots, uncollected: roots, leftOut: {} } },
    },
  } as unknown as SnmpApiContext;
  const app = fastify();
  await app.register(listUncollected(context), {} as RouteFacts);
  try {
    return (await app.inject('/api/v1/snmp/uncollected')).json();
  } finally {
    await app.close();
  }
}

describe('the report of what nothing collects', () => {
  it('lists the most frequent root first, with five devices of each', async () => {
    const { roots, devices } = await answer();
    assert.equal(devices, 8);
    assert.deepEqual(
      roots.map(({ root, devices, why, examples }: Line) => [
        root,
        devices,
        examples.map(({ name }) => name),
        why,
      ]),
      [
        [
          acme,
          7,
          ['both', 'acme-0', 'acme-1', 'acme-2', 'acme-3'],
          [{ reason: 'no_definition', devices: 7 }],
        ],
        [other, 1, ['both'], [{ reason: 'no_definition', devices: 1 }]],
      ],
    );
  });

  it('is printed as a table that says how to go on, without control characters of names', async (t) => {
    const body = {
      devices: 8,
      roots: [
        {
          root: acme,
          devices: 7,
          why: [
            { reason: 'not_answered', devices: 7 },
            { reason: 'on_request', devices: 2 },
          ],
          examples: [{ name: 'a\u001b[2Jcme', ip: '192.0.2.1', port: 161 }],
        },
      ],
    };
    const client = { call: () => Promise.resolve({ body }) } as unknown as ApiClient;
    const text = await printed(t, () => showUncollected(client, {}));
    assert.match(text, /^devices +root +why +such as$/m);
    assert.match(text, /^ *7 +1\.3\.6\.1\.4\.1\.64000 +not answered, on request \(2\) +a.*cme$/m);
    assert.match(text, /^1 root of 8 devices with `objects: auto`\.$/m);
    assert.match(text, /waywiser draft DEVICE --mibs DIRECTORY/);
    assert.ok(!text.includes('\u001b'));
    assert.deepEqual(JSON.parse(await printed(t, () => showUncollected(client, { json: true }))), body);
  });

  it('has no advice where everything is collected', async (t) => {
    const client = {
      call: () => Promise.resolve({ body: { devices: 2, roots: [] } }),
    } as unknown as ApiClient;
    const text = await printed(t, () => showUncollected(client, {}));
    assert.doesNotMatch(text, /waywiser draft/);
  });
});
