import assert from 'node:assert/strict';
import { extname, join } from 'node:path';
import { describe, it } from 'node:test';
import { createPluginFinder } from '../../src/collector/built-in-plugins.ts';
import { loadSetup } from '../../src/collector/collector-setup.ts';
import { findNeededPlugins } from '../../src/collector/needed-plugins.ts';
import { findMissingServices } from '../../src/kernel/boot-order.ts';
import { WaywiserError } from '../../src/kernel/errors.ts';
import { definePlugin } from '../../src/kernel/plugin.ts';
import { PluginFinder } from '../../src/kernel/plugin-finder.ts';
import { serviceToken } from '../../src/kernel/service-token.ts';
import { writeFolder } from '../kernel/support/scratch-folder.ts';

/** As the modules are that run here: `.ts`, or `.js` once they are transpiled. */
const extension = extname(import.meta.url);

const withRequiredOption = "{ properties: { url: { type: 'string' } }, required: ['url'] }";
const clock = serviceToken<unknown>('clock');
const imported: string[] = [];
Object.assign(globalThis, { importedPlugins: imported });

const source = (name: string, rest = '') =>
  `globalThis.importedPlugins.push('${name}');
export default { name: '${name}', kind: 'service', summary: 'S.', options: { properties: {} }, needs: {},
  provides: { name: '${name}' }, start() { return {}; }, ${rest} };`;

describe('needed plugins', () => {
  const folder = writeFolder({
    [`builtin/clock/index${extension}`]: source('clock'),
    [`builtin/calendar/index${extension}`]: source('calendar', "needs: { clock: { name: 'clock' } }"),
    [`builtin/settings/index${extension}`]: source('settings', `options: ${withRequiredOption}`),
    [`builtin/broken/index${extension}`]: 'throw new Error("this plugin is broken");',
    [`builtin/unused/index${extension}`]: source('unused'),
  });
  const finder = new PluginFinder({ always: [], builtInRoots: [join(folder, 'builtin')], directory: folder });
  const needing = (...services: readonly string[]) => {
    const needs = Object.fromEntries(services.map((name) => [name, serviceToken<unknown>(name)]));
    const plugin = definePlugin({ name: 'subject', kind: 'source', summary: 'S.', needs, start() {} });
    return findNeededPlugins([{ name: 'subject', plugin }], finder);
  };

  it('are found by the name of the service, with what they need in turn', async () => {
    imported.length = 0;
    const { found, failures } = await needing('calendar');
    assert.deepEqual(
      found.map(({ name }) => name),
      ['calendar', 'clock'],
    );
    assert.deepEqual(failures, []);
    assert.deepEqual(imported, ['calendar', 'clock']);
  });

  it('leave out a plugin with a required option, and a service that no built-in plugin provides', async () => {
    assert.deepEqual(await needing('settings', 'moon'), { found: [], failures: [] });
  });

  it('report a needed plugin that cannot be imported, with the plugins that need it', async () => {
    const { found, failures } = await needing('broken', 'clock');
    assert.deepEqual(
      found.map(({ name }) => name),
      ['clock'],
    );
    assert.equal(failures.length, 1);
    assert.deepEqual(failures[0]?.neededBy, ['subject']);
    const { error } = failures[0]!;
    assert.equal(error instanceof WaywiserError && error.code, 'PLUGIN_IMPORT_FAILED');
  });

  it('include no plugin that the configuration names already', async () => {
    const { plugin } = await finder.find('clock');
    const other = definePlugin({
      name: 'other',
      kind: 'source',
      summary: 'S.',
      needs: { clock },
      start() {},
    });
    const named = [
      { name: 'clock', plugin },
      { name: 'other', plugin: other },
    ];
    assert.deepEqual((await findNeededPlugins(named, finder)).found, []);
  });
});

describe('built-in plugins', () => {
  for (const name of ['snmp-traps', 'snmp-exporter']) {
    it(`${name} alone in a configuration brings the poller, a source, and all else that it needs`, async () => {
      const folder = writeFolder({ 'waywiser.yml': `plugins: { ${name}: {} }` });
      const { plugins } = await loadSetup(join(folder, 'waywiser.yml'), { env: {} });
      assert.deepEqual(findMissingServices(plugins), new Map());
      assert.ok(plugins.some(({ name }) => name === 'snmp-poller'));
    });
  }

  const snmp = ['definitions-loader', 'device-registry', 'snmp-api', 'snmp-client', 'snmp-discovery'];
  const joining: readonly (readonly [named: readonly string[], isJoined: boolean])[] = [
    ...['definitions-loader', 'device-registry', 'snmp-client', 'snmp-discovery', 'snmp-poller'].map(
      (name) => [['http-api', name], true] as const,
    ),
    [['snmp-traps', 'http-api'], true],
    [['http-api', 'snmp-api'], true],
    [['snmp-poller'], false],
    [['http-api'], false],
    [['http-api', 'history', 'web-page', 'prometheus'], false],
  ];
  for (const [named, isJoined] of joining)
    it(`${named.join(' and ')} ${isJoined ? 'bring' : 'do not bring'} the routes of SNMP`, async () => {
      const entries = named.map((name) => `${name}: {}`).join(', ');
      const folder = writeFolder({ 'waywiser.yml': `plugins: { ${entries} }` });
      const { plugins } = await loadSetup(join(folder, 'waywiser.yml'), { env: {} });
      assert.deepEqual(findMissingServices(plugins), new Map());
      const found = plugins.map(({ name }) => name);
      assert.equal(found.includes('snmp-api'), isJoined);
      if (isJoined)
        assert.deepEqual(
          snmp.filter((name) => !found.includes(name)),
          [],
        );
    });

  it('that provide a service name its token after themselves', async () => {
    const finder = createPluginFinder('.');
    const plugins = await Promise.all(
      finder.builtInNames.map(async (name) => (await finder.find(name)).plugin),
    );
    const providers = plugins.filter(({ provides }) => provides !== undefined);
    assert.ok(providers.length >= 8, `${providers.length} providers`);
    const others = providers.filter(({ name, provides }) => provides?.name !== name);
    // The cluster takes the place of the part of the collector that owns every device.
    assert.deepEqual(
      others.map(({ name, provides }) => [name, provides?.name]),
      [['cluster', 'shards']],
    );
  });
});
