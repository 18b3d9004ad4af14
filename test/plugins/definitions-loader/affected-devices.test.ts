import { deepEqual } from 'node:assert/strict';
import { after, before, beforeEach, describe, it } from 'node:test';
import loader from '../../../plugins/definitions-loader/index.ts';
import { definitionsToken } from '../../../plugins/definitions-loader/service.ts';
import { startTestCollector, type TestCollector } from '../../../src/testing/index.ts';
import { baseSet } from './support/base-set.ts';
import { DefinitionDirectory } from './support/definition-directory.ts';

const devices = {
  a: 'ip: 192.0.2.1, device_groups: [switches]',
  b: 'ip: 192.0.2.2, device_groups: [switches, routers]',
  c: 'ip: "2001:db8::3"',
};
const dynamic = { 'defaults/object_types.yml': 'dynamic: { poll_interval: 7 }\n' };

describe('the devices that an apply affects', () => {
  const { 'devices/core.yml': _, ...others } = baseSet;
  const files = { ...others, 'devices/all.yml': textOf(devices) };
  const directory = new DefinitionDirectory(files);
  let collector: TestCollector;
  const apply = async (dryRun: boolean): Promise<string[]> => {
    const result = await collector.getService(definitionsToken).apply({ dryRun, requestedBy: 'test' });
    if (!result.accepted) throw new Error(JSON.stringify(result.problems));
    return result.affectedDevices.map(({ name }) => name).sort();
  };

  before(async () => {
    const options = { shipped: false, directories: [directory.path] };
    collector = await startTestCollector({ plugins: [{ plugin: loader, options }] });
  });
  beforeEach(async () => {
    directory.write(files);
    await apply(false);
  });
  after(async () => {
    await collector.stop();
    directory[Symbol.dispose]();
  });

  const cases: readonly {
    readonly of: string;
    readonly now: Readonly<Record<string, string>>;
    readonly affected: readonly string[];
  }[] = [
    { of: 'a new device', now: { ...devices, d: 'ip: 192.0.2.4' }, affected: ['d'] },
    {
      of: 'other groups',
      now: { ...devices, a: 'ip: 192.0.2.1, device_groups: [routers]' },
      affected: ['a'],
    },
    {
      of: 'first groups',
      now: { ...devices, c: 'ip: "2001:db8::3", device_groups: [routers]' },
      affected: ['c'],
    },
    { of: 'no groups at all', now: { ...devices, a: 'ip: 192.0.2.1, device_groups: []' }, affected: ['a'] },
    {
      of: 'groups left to the sysObjectID',
      now: { ...devices, a: 'ip: 192.0.2.1' },
      affected: ['a'],
    },
    { of: 'another port', now: { ...devices, a: `${devices.a}, port: 1161` }, affected: ['a'] },
    {
      of: 'groups in another order',
      now: { ...devices, b: 'ip: 192.0.2.2, device_groups: [routers, switches]' },
      affected: [],
    },
    { of: 'a first tag', now: { ...devices, a: `${devices.a}, tags: { site: x }` }, affected: ['a'] },
    { of: 'no tags at all', now: { ...devices, a: `${devices.a}, tags: {}` }, affected: [] },
    { of: 'another timeout', now: { ...devices, a: `${devices.a}, timeout: 500` }, affected: [] },
    {
      of: 'another name and spelling',
      now: { a: devices.a, b: devices.b, z: 'ip: "2001:DB8:0::3"' },
      affected: [],
    },
    { of: 'a device that is gone', now: { b: devices.b, c: devices.c }, affected: [] },
  ];
  for (const { of, now, affected } of cases) {
    it(`${affected.length === 0 ? 'do not include' : 'include'} ${of}, also in a dry run`, async () => {
      directory.write({ 'devices/all.yml': textOf(now) });
      deepEqual(await apply(true), affected);
      deepEqual(await apply(false), affected);
      deepEqual(await apply(false), []);
    });
  }

  it('include devices with other tags from the defaults, and those of no file that inherit them', async () => {
    const definitions = collector.getService(definitionsToken);
    const [heir, other] = ['heir', 'other'].map((name, i) => ({ name, ip: `198.51.100.${i}`, port: 161 }));
    definitions.useDevices(() => [
      { ref: heir!, deviceGroups: [], inheritsTags: true },
      { ref: other!, deviceGroups: [], inheritsTags: false },
    ]);
    const tagged = { ...devices, b: `${devices.b}, tags: { site: own }` };
    directory.write({ 'devices/all.yml': textOf(tagged) });
    await apply(false);
    const setDefaults = (more: string) =>
      directory.write({ 'defaults/device.yml': `${baseSet['defaults/device.yml']}${more}` });
    setDefaults('  tags: { site: x }\n');
    deepEqual(await apply(true), ['a', 'c', 'heir']);
    deepEqual(await apply(false), ['a', 'c', 'heir']);
    setDefaults('  tags: { site: x }\n  max_oids: 7\n');
    deepEqual(await apply(false), []);
    setDefaults('');
    deepEqual(await apply(false), ['a', 'c', 'heir']);
    definitions.useDevices(() => definitions.current.groupedDevices());
  });

  it('include a device once when both its list of groups and one of its groups changed', async () => {
    const now = { ...devices, a: 'ip: 192.0.2.1, device_groups: [switches, routers]' };
    directory.write({ ...dynamic, 'devices/all.yml': textOf(now) });
    deepEqual(await apply(true), ['a', 'b']);
    deepEqual(await apply(false), ['a', 'b']);
  });
});

function textOf(list: Readonly<Record<string, string>>): string {
  return Object.entries(list)
    .map(([name, settings]) => `${name}: { ${settings} }\n`)
    .join('');
}
