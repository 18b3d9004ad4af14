import assert from 'node:assert/strict';
import { mkdirSync, readdirSync, readFileSync, statSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, it, type TestContext } from 'node:test';
import { fileURLToPath } from 'node:url';
import { writePackage } from '../../../cli/authoring/new.ts';
import { check } from '../../../cli/definitions/check.ts';
import { installOurselves, runPackageTests } from '../../support/package-folder.ts';
import { temporaryFolder } from '../../support/temporary-folder.ts';
import { printed } from '../support/printed.ts';

const root = fileURLToPath(new URL('../../../', import.meta.url));

describe('waywiser new', () => {
  const passing = { output: 2, processor: 3, plugin: 2, source: 2, definitions: 2 };
  for (const [what, tests] of Object.entries(passing)) {
    it(`writes a package of type ${what} whose tests pass`, async (t) => {
      const folder = join(temporaryFolder(t), `my-${what}`);
      await quietly(t, () => writePackage(what, folder));
      installOurselves(folder);
      const report = await runPackageTests(folder);
      assert.match(report, new RegExp(`^(#|ℹ) pass ${tests}$`, 'm'));
      assert.match(report, /^(#|ℹ) fail 0$/m);
      const manifest = JSON.parse(readFileSync(join(folder, 'package.json'), 'utf8'));
      assert.equal(manifest.name, `my-${what}`);
      assert.match(manifest.scripts.test, /node --test$/);
    });
  }

  for (const [what, name] of [
    ['plugin', 'third-party-plugin'],
    ['output', 'third-party-output'],
    ['processor', 'third-party-processor'],
    ['source', 'third-party-source'],
    ['typescript', 'third-party-typescript'],
    ['definitions', 'custom-definition'],
  ] as const) {
    it(`copies examples/${name}`, async (t) => {
      const folder = join(temporaryFolder(t), name);
      await quietly(t, () => writePackage(what, folder));
      const example = join(root, 'examples', name);
      const files = (path: string) =>
        readdirSync(path, { recursive: true, encoding: 'utf8' })
          .filter((file) => statSync(join(path, file)).isFile() && !file.startsWith('node_modules'))
          .sort();
      assert.deepEqual(files(example), files(folder));
      for (const file of files(folder)) {
        if (file === 'package.json') continue;
        assert.equal(
          readFileSync(join(example, file), 'utf8'),
          readFileSync(join(folder, file), 'utf8'),
          file,
        );
      }
    });
  }

  it('replaces the name of the example and nothing else', async (t) => {
    const parent = temporaryFolder(t);
    for (const what of Object.keys(passing)) {
      const written = join(parent, `my-${what}`);
      await quietly(t, () => writePackage(what, written));
      for (const file of readdirSync(written, { recursive: true, encoding: 'utf8' })) {
        if (statSync(join(written, file)).isDirectory()) continue;
        assert.doesNotMatch(
          readFileSync(join(written, file), 'utf8'),
          /third-party-|custom-definition/,
          file,
        );
      }
    }
    const folder = join(parent, 'fans-2');
    await quietly(t, () => writePackage('source', folder));
    const text = (file: string) => readFileSync(join(folder, file), 'utf8');
    assert.match(text('index.js'), /^ {2}name: 'fans-2',$/m);
    assert.match(text('README.md'), /^ {2}\.\/fans-2\/index\.js:$/m);
    const { name, peerDependencies, devDependencies } = JSON.parse(text('package.json'));
    assert.equal(name, 'fans-2');
    assert.match(peerDependencies.waywiser, /^>=\d+\.\d+\.\d+$/);
    assert.match(devDependencies.waywiser, /^file:/);
  });

  it('writes definitions that pass the strict check', async (t) => {
    const folder = join(temporaryFolder(t), 'my-definitions');
    await quietly(t, () => writePackage('definitions', folder));
    const report = JSON.parse(
      await printed(t, () => check(join(folder, 'definitions'), { strict: true, style: true, json: true })),
    );
    assert.deepEqual(report.problems, []);
    assert.equal(report.counts.objects, 1);
  });

  it('refuses a directory that is not empty, an invalid name and an unknown kind', async (t) => {
    const folder = temporaryFolder(t);
    mkdirSync(join(folder, 'full'));
    writeFileSync(join(folder, 'full', 'x'), '');
    await assert.rejects(writePackage('output', join(folder, 'full')), { code: 'DIRECTORY_NOT_EMPTY' });
    await assert.rejects(writePackage('output', join(folder, 'Not A Name')), {
      code: 'PACKAGE_NAME_INVALID',
    });
    await assert.rejects(writePackage('outptu', join(folder, 'new')), /Did you mean "output"\?/);
  });
});

async function quietly(test: TestContext, write: () => Promise<unknown>): Promise<void> {
  const printed = test.mock.method(console, 'log', () => {});
  await write();
  printed.mock.restore();
}
