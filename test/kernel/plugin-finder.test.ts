import assert from 'node:assert/strict';
import { extname, join } from 'node:path';
import { describe, it } from 'node:test';
import { definePlugin } from '../../src/kernel/plugin.ts';
import { PluginFinder } from '../../src/kernel/plugin-finder.ts';
import { writeFolder } from './support/scratch-folder.ts';

/** As the modules are that run here: `.ts`, or `.js` once they are transpiled. */
const extension = extname(import.meta.url);

const source = (name: string) =>
  `export default { name: '${name}', kind: 'service', summary: 'S.', options: {}, needs: {}, start() {} };`;

const manifest = (content: object) => JSON.stringify({ type: 'module', ...content });

describe('plugin finder', () => {
  const folder = writeFolder({
    [`builtin/first/index${extension}`]: source('first'),
    [`builtin/http-api/index${extension}`]: source('http-api'),
    'builtin/no-plugin/readme.md': 'x',
    [`outputs/ndjson/index${extension}`]: source('ndjson'),
    'site/node_modules/acme-output/package.json': manifest({ main: './main.js' }),
    'site/node_modules/acme-output/main.js': source('acme-output'),
    'site/node_modules/@acme/out/package.json': manifest({
      exports: { '.': { types: './x.d.ts', import: { types: './x.d.ts', default: './lib/entry.js' } } },
    }),
    'site/node_modules/@acme/out/lib/entry.js': source('acme-out'),
    'site/node_modules/plain/package.json': manifest({}),
    'site/node_modules/plain/index.js': source('plain'),
    'site/node_modules/broken-manifest/package.json': '{ not json',
    'site/node_modules/broken-manifest/index.js': source('broken-manifest'),
    'site/node_modules/no-entry/package.json': manifest({ exports: './gone.js' }),
    'node_modules/above/package.json': manifest({ exports: './a.js' }),
    'node_modules/above/a.js': source('above'),
    'site/own.js': source('own'),
    'site/as-package/package.json': manifest({ exports: './src/plugin.js' }),
    'site/as-package/src/plugin.js': source('as-package'),
    'site/throws.js': 'throw new Error("on import");',
    'site/syntax.js': 'export default {',
    'site/nothing.js': 'export const x = 1;',
    'site/odd.js': 'export default { name: "odd", kind: "gadget", options: {}, needs: {}, start() {} };',
    'site/half.js': 'export default { name: "half", kind: "service", start() {} };',
  });
  const always = definePlugin({ name: 'pipeline', kind: 'service', summary: 'S.', start() {} });
  const finder = new PluginFinder({
    always: [always],
    builtInRoots: [join(folder, 'builtin'), join(folder, 'outputs'), join(folder, 'nowhere')],
    directory: join(folder, 'site'),
  });
  const nameOf = async (name: string) => {
    const found = await finder.find(name);
    return [found.name, found.plugin.name];
  };
  const refuses = (name: string, code: string, message: RegExp) =>
    assert.rejects(finder.find(name), { code, message });

  it('lists the built-in plugins, sorted, and ignores folders without an index', () => {
    assert.deepEqual(finder.builtInNames, ['first', 'http-api', 'ndjson', 'pipeline']);
  });

  it('finds built-in plugins, also under an instance name', async () => {
    assert.deepEqual(await nameOf('first'), ['first', 'first']);
    assert.deepEqual(await nameOf('ndjson/audit'), ['ndjson/audit', 'ndjson']);
    assert.equal((await finder.find('pipeline')).plugin, always);
    assert.equal(
      (await finder.find('ndjson/audit')).origin,
      join(folder, `outputs/ndjson/index${extension}`),
    );
  });

  it('finds packages: scoped, import-only, with main, without an entry, in a parent folder', async () => {
    assert.deepEqual(await nameOf('acme-output'), ['acme-output', 'acme-output']);
    assert.deepEqual(await nameOf('@acme/out'), ['@acme/out', 'acme-out']);
    assert.deepEqual(await nameOf('@acme/out/second'), ['@acme/out/second', 'acme-out']);
    assert.deepEqual(await nameOf('plain/x'), ['plain/x', 'plain']);
    assert.deepEqual(await nameOf('above'), ['above', 'above']);
  });

  it('finds relative and absolute paths, and folders of packages, under the name of the plugin', async () => {
    assert.deepEqual(await nameOf('./own.js'), ['own', 'own']);
    assert.deepEqual(await nameOf('../site/own.js'), ['own', 'own']);
    assert.deepEqual(await nameOf(join(folder, 'site/own.js')), ['own', 'own']);
    assert.deepEqual(await nameOf('./as-package'), ['as-package', 'as-package']);
  });

  it('suggests the nearest name for an unknown one', async () => {
    await refuses('htp-api', 'PLUGIN_UNKNOWN', /no plugin "htp-api".*Did you mean "http-api"/);
    await refuses('ndjsn/audit', 'PLUGIN_UNKNOWN', /Did you mean "ndjson"/);
  });

  it('explains how to install a missing package', async () => {
    await refuses('acme-nowhere', 'PLUGIN_PACKAGE_MISSING', /npm install acme-nowhere/);
    await refuses('@acme/nowhere/x', 'PLUGIN_PACKAGE_MISSING', /npm install @acme\/nowhere$/);
  });

  it('names a file that does not exist', async () => {
    await refuses('./gone.js', 'PLUGIN_UNKNOWN', /no file .*gone\.js/);
    await refuses('no-entry', 'PLUGIN_UNKNOWN', /no file .*gone\.js/);
  });

  it('reports the cause when a plugin throws while it is imported', async () => {
    await assert.rejects(finder.find('./throws.js'), {
      code: 'PLUGIN_IMPORT_FAILED',
      message: /"\.\/throws\.js".*throws\.js/,
      cause: new Error('on import'),
    });
    await refuses('./syntax.js', 'PLUGIN_IMPORT_FAILED', /syntax\.js/);
    await refuses('broken-manifest', 'PLUGIN_IMPORT_FAILED', /"broken-manifest"/);
  });

  it('rejects a default export that is not a plugin', async () => {
    for (const name of ['./nothing.js', './half.js']) {
      await refuses(
        name,
        'PLUGIN_EXPORT_INVALID',
        /definePlugin, defineOutput, defineProcessor or defineSource/,
      );
    }
  });

  it('lists the kinds when only the kind is wrong', async () => {
    await refuses(
      './odd.js',
      'PLUGIN_KIND_UNKNOWN',
      /odd\.js has the unknown kind "gadget"\. Choose one of: service, /,
    );
  });

  it('rejects names that lead out of node_modules, and empty names', async () => {
    for (const name of ['@acme/../../own', '', '@', '@/'])
      await assert.rejects(finder.find(name), { name: 'WaywiserError' }, name);
  });
});
