import assert from 'node:assert/strict';
import { cpSync, mkdirSync, readFileSync, realpathSync, symlinkSync, writeFileSync } from 'node:fs';
import { extname, join } from 'node:path';
import { describe, it, type TestContext } from 'node:test';
import { setTimeout as sleep } from 'node:timers/promises';
import { fileURLToPath } from 'node:url';
import { createCollector, HttpProblem, Secret, WaywiserError } from '../../src/index.ts';
import { SnmpError } from '../../src/snmp/index.ts';
import { findFreePort } from '../support/free-port.ts';
import { temporaryFolder } from '../support/temporary-folder.ts';

const extension = extname(import.meta.url);
const root = fileURLToPath(new URL('../../', import.meta.url));

/** A folder with a plugin whose package has a copy of Waywiser of its own, as every plugin that is named by its path has. */
function pluginFolder(t: TestContext, body: string, version?: string): { folder: string; copy: string } {
  const folder = realpathSync(temporaryFolder(t));
  const copy = join(folder, 'copy');
  mkdirSync(copy);
  for (const part of ['src', 'plugins/http-routes']) {
    cpSync(join(root, part), join(copy, part), { recursive: true });
  }
  symlinkSync(realpathSync(join(root, 'node_modules')), join(copy, 'node_modules'));
  const manifest = JSON.parse(readFileSync(join(root, 'package.json'), 'utf8'));
  writeFileSync(
    join(copy, 'package.json'),
    JSON.stringify({ ...manifest, version: version ?? manifest.version }),
  );
  writeFileSync(join(folder, 'package.json'), '{ "type": "module" }');
  const imports = `import * as waywiser from './copy/src/index${extension}';\nimport { httpRoutesToken } from './copy/plugins/http-routes/service${extension}';\n`;
  writeFileSync(join(folder, `plugin${extension}`), `${imports}export default ${body}`);
  return { folder, copy };
}

const collectorOf = (folder: string, plugins: object = {}) =>
  createCollector(
    {
      state_directory: join(folder, 'state'),
      plugins: { [join(folder, `plugin${extension}`)]: {}, ...plugins },
    },
    { env: {} },
  );

describe('a plugin with its own copy of the package', () => {
  it('answers with its HttpProblem, not with 500', async (t) => {
    const { folder } = pluginFolder(
      t,
      `waywiser.definePlugin({ name: 'lamp', kind: 'service', summary: 'Shines.', needs: { routes: httpRoutesToken },
        start({ needs }) {
          needs.routes.add(async (app) => {
            app.get('/api/v1/lamp', { schema: { summary: 'A lamp', response: { 200: waywiser.Type.Object({}) } } }, async () => {
              throw new waywiser.HttpProblem(409, 'LAMP_OFF', 'The lamp is off.');
            });
          });
        } });`,
    );
    const port = await findFreePort();
    const collector = await collectorOf(folder, { 'http-api': { port } });
    await collector.start();
    t.after(() => collector.stop());
    let answer = await fetch(`http://127.0.0.1:${port}/api/v1/lamp`);
    // A busy machine makes the API answer that it is busy.
    while (answer.status === 503) {
      await sleep(100);
      answer = await fetch(`http://127.0.0.1:${port}/api/v1/lamp`);
    }
    assert.equal(answer.status, 409);
    assert.equal(((await answer.json()) as { code: string }).code, 'LAMP_OFF');
  });

  it('throws errors and makes secrets that the collector recognizes, and the other way round', async (t) => {
    const { copy } = pluginFolder(t, '{};');
    const other = await import(join(copy, `src/index${extension}`));
    const otherSnmp = await import(join(copy, `src/snmp/index${extension}`));
    const pairs = [
      [WaywiserError, other.WaywiserError, ['X', 'x']],
      [HttpProblem, other.HttpProblem, [404, 'X', 'x']],
      [Secret, other.Secret, ['x']],
      [SnmpError, otherSnmp.SnmpError, ['SNMP_CLOSED', {}]],
    ] as const;
    for (const [own, foreign, words] of pairs) {
      assert.notEqual(own, foreign);
      const Own = own as new (...words: readonly unknown[]) => object;
      assert.ok(new foreign(...words) instanceof own, own.name);
      assert.ok(new Own(...words) instanceof foreign, own.name);
      assert.ok(!(new Error('x') instanceof own), own.name);
      assert.ok(!((null as unknown) instanceof own), own.name);
      const Extended = class extends Own {};
      assert.ok(!(new Own(...words) instanceof Extended), own.name);
      assert.ok(
        new Extended(...words) instanceof Extended && new Extended(...words) instanceof own,
        own.name,
      );
    }
  });

  for (const version of ['2.0.0', '0.2.0', '1.0.0-beta.1']) {
    it(`is refused by name when that copy is ${version}`, async (t) => {
      const { folder } = pluginFolder(
        t,
        "waywiser.definePlugin({ name: 'lamp', kind: 'service', summary: 'Shines.', start() {} });",
        version,
      );
      await assert.rejects(collectorOf(folder), (error: Error) => {
        assert.match(error.message, /plugin\.[jt]s" is made with waywiser /);
        assert.ok(error.message.includes(`waywiser ${version}, and this is waywiser 0.1.0.`), error.message);
        return true;
      });
    });
  }

  it('runs when that copy is of the same line', async (t) => {
    const { folder } = pluginFolder(
      t,
      "waywiser.definePlugin({ name: 'lamp', kind: 'service', summary: 'Shines.', start() {} });",
      '0.1.9',
    );
    const collector = await collectorOf(folder);
    await collector.start();
    assert.deepEqual(await collector.stop(), []);
  });
});

describe('a plugin that definePlugin did not make', () => {
  it('is named when its options are not made with Type', async (t) => {
    const { folder } = pluginFolder(
      t,
      "{ name: 'lamp', kind: 'service', summary: 'S.', options: { type: 'object', properties: { a: { type: 'string' } } }, needs: {}, start() {} };",
    );
    await assert.rejects(collectorOf(folder), /lamp: "options" must be made with Type of waywiser/);
  });
});
