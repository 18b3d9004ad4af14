import assert from 'node:assert/strict';
import { describe, it, type TestContext } from 'node:test';
import { definitionsToken } from '../../../plugins/definitions-loader/service.ts';
import { deviceRegistryToken } from '../../../plugins/device-registry/service.ts';
import poller from '../../../plugins/snmp-poller/index.ts';
import traps from '../../../plugins/snmp-traps/index.ts';
import { deviceSorts } from '../../../src/model/index.ts';
import { startApi } from '../http-api/support/api-stack.ts';
import { listOperations } from '../http-api/support/description.ts';
import { DefinitionFolder } from '../support/definition-folder.ts';

const ids = Array.from({ length: 9 }, (_, i) => `L${i}`);

const objectText = (id: string) => `${id}:
  mib: LIST-MIB
  object: ${id}
  attributes:
    value: { oid: .1.3.6.1.4.1.63999.${1 + Number(id.slice(1) || 99)}, name: list.value, syntax: Integer32, metric: gauge }
`;

interface List {
  readonly api: Awaited<ReturnType<typeof startApi>>;
  /** What is there at a time, by number; the numbers that stay are on all pages. */
  show(numbers: readonly number[]): Promise<void>;
}

async function startList(t: TestContext): Promise<List> {
  const folder = new DefinitionFolder(t);
  const api = await startApi(t, folder, {
    more: [{ plugin: poller }, { plugin: traps, options: { listen: [{ address: '127.0.0.1', port: 0 }] } }],
  });
  const registry = api.collector.getService(deviceRegistryToken);
  const definitions = api.collector.getService(definitionsToken);
  const shown = new Set<number>();
  const show = async (numbers: readonly number[]) => {
    for (const number of shown)
      if (!numbers.includes(number)) registry.removeManaged(`192.0.2.${number + 1}`, 161);
    for (const number of numbers) {
      const settings = {
        ip: `192.0.2.${number + 1}`,
        version: '2c' as const,
        enabled: false,
        device_groups: ['plain'],
      };
      if (!shown.has(number)) registry.putManaged(`L${number}`, settings);
    }
    shown.clear();
    for (const number of numbers) shown.add(number);
    const names = numbers.map((number) => `L${number}`);
    folder.write('objects/list.yml', names.map(objectText).join(''));
    folder.write('object_groups/list.yml', names.map((name) => `${name}: { objects: [${name}] }\n`).join(''));
    folder.write(
      'device_groups/list.yml',
      names.map((name) => `${name}: { object_groups: [${name}] }\n`).join(''),
    );
    const { accepted } = await definitions.apply({ requestedBy: 'test' });
    assert.ok(accepted);
  };
  return { api, show };
}

const byName = (entries: readonly { readonly name?: string; readonly id?: string }[]) =>
  entries.map(({ name, id }) => name ?? id);

/** How the entries of each listing are named. Every described route with a cursor is here. */
const listings: Readonly<Record<string, ((body: never) => readonly unknown[]) | string>> = {
  '/api/v1/snmp/devices': ({ devices }: { devices: [] }) => byName(devices),
  '/api/v1/snmp/objects': ({ objects }: { objects: [] }) => byName(objects),
  '/api/v1/snmp/object-groups': ({ groups }: { groups: [] }) => byName(groups),
  '/api/v1/snmp/device-groups': ({ groups }: { groups: [] }) => byName(groups),
  '/api/v1/snmp/generations': 'the next test: nothing but an apply changes it',
  '/api/v1/snmp/devices/{ip}/{port}/records': 'record-page.test.ts of snmp-poller',
  '/api/v1/snmp/devices/{device}/records': 'record-page.test.ts of snmp-poller',
  '/api/v1/snmp/traps': 'surface.test.ts of snmp-traps: the cursor is the id of a notification',
  '/api/v1/snmp/traps/open': 'surface.test.ts of snmp-traps: the cursor is the id of a notification',
};

describe('a list that changes between two pages', () => {
  it('shows every entry that stays exactly once, in every listing', async (t) => {
    const { api, show } = await startList(t);
    const description = (await api.call('GET', '/openapi.json')).body;
    const paged = listOperations(description).filter(({ parameters }) =>
      parameters.some(({ name }) => name === 'cursor'),
    );
    assert.deepEqual(paged.map(({ path }) => path).sort(), Object.keys(listings).sort());
    const staying = [2, 4, 6, 7];
    for (const { path } of paged) {
      const namesOf = listings[path]!;
      if (typeof namesOf === 'string') continue;
      const orders =
        path === '/api/v1/snmp/devices' ? ['', ...deviceSorts.map((sort) => `&sort=${sort}`)] : [''];
      for (const order of orders) {
        await show([0, 1, ...staying]);
        const seen: unknown[] = [];
        let cursor = '';
        // Entries before the cursor go and come, the one that it names goes, and others come behind it.
        const steps = [[1, ...staying], [0, ...staying], [0, 1, 3, ...staying], [...staying, 8], staying];
        for (let page = 0; ; page++) {
          const { status, body, text } = await api.call('GET', `${path}?limit=2${order}${cursor}`);
          assert.equal(status, 200, text);
          assert.ok(page < 20, path);
          seen.push(...namesOf(body as never));
          if (body.next === undefined) break;
          cursor = `&cursor=${body.next}`;
          await show(steps[page] ?? staying);
        }
        const kept = seen.filter((name) => staying.some((number) => name === `L${number}`));
        assert.deepEqual(
          [...kept].sort(),
          staying.map((number) => `L${number}`),
          `${path} ${order}`,
        );
        assert.equal(new Set(seen).size, seen.length, `${path} ${order}: ${seen}`);
      }
    }
  });

  it('shows every generation once while new ones come', async (t) => {
    const { api, show } = await startList(t);
    for (let count = 1; count <= 5; count++) await show(ids.slice(0, count).map((_, i) => i));
    const first = await api.call('GET', '/api/v1/snmp/generations?limit=2');
    await show([0]);
    const second = await api.call('GET', `/api/v1/snmp/generations?limit=100&cursor=${first.body.next}`);
    const numbers = [...first.body.generations, ...second.body.generations].map(
      ({ generation }) => generation,
    );
    assert.deepEqual(numbers, [6, 5, 4, 3, 2, 1].slice(0, numbers.length));
    assert.ok(numbers.length >= 5);
  });
});
