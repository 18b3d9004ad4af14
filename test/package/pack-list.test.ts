import assert from 'node:assert/strict';
import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { dirname, extname, join, posix, sep } from 'node:path';
import { before, describe, it } from 'node:test';
import { listFiles } from '../house/support/source-file.ts';
import { onlyLong } from '../support/long-run.ts';
import { checkout, type PackedPackage, packOnce } from './support/packed-package.ts';

const manifest = JSON.parse(readFileSync(join(checkout, 'package.json'), 'utf8'));
/** Files of the package outside of its folders. */
const single = ['CHANGELOG.md', 'LICENSE', 'README.md', 'SECURITY.md', 'package.json'];
/** The file endings that each folder of the package may contain. */
const endings: Readonly<Record<string, readonly string[]>> = {
  dist: ['.js', '.ts'],
  definitions: ['.yml', '.md'],
  docs: ['.md', '.png', '.svg'],
  plugins: ['.md'],
  test: ['.snmprec'],
};
const largestBytes = 200_000;
/** What the build makes of the definitions. */
const preparedDefinitions = ['dist/definitions.json.br', 'dist/definitions.v8.br'];
/** Each may be three times as large. */
const fastifyFile = 'dist/plugins/http-api/server/fastify.js';
const large = [...preparedDefinitions, fastifyFile];
/** The web page, bundled and compressed. */
const pageFile =
  /^dist\/plugins\/web-page\/files\/(index\.html|[\w-]+-[A-Z0-9]{8}\.(js|css|svg))(\.gz|\.br)?$/;

describe('the packed package', { skip: onlyLong }, () => {
  let packed: PackedPackage;
  let paths: string[];
  before(async () => {
    packed = await packOnce();
    paths = packed.files.map(({ path }) => path);
  });

  it('has every file that a user runs or reads', () => {
    const expected = [
      ...single,
      ...preparedDefinitions,
      ...[...listFiles('definitions'), ...listFiles('docs'), ...listFiles('examples')],
      ...listFiles('plugins').filter((path) => path.endsWith('/README.md')),
      ...listFiles('test/recordings').filter((path) => extname(path) === '.snmprec'),
      // Nobody imports these: their types are left out.
      ...listSources().flatMap((path) =>
        (/^(?:cli|authoring\/(?:drafts|import))\//.test(path) ? ['.js'] : ['.js', '.d.ts']).map(
          (end) => `dist/${path.replace(/\.ts$/, end)}`,
        ),
      ),
    ];
    assert.deepEqual(
      expected.filter((path) => !paths.includes(path)),
      [],
    );
    assert.ok(expected.length > 1_000, `${expected.length} files were expected`);
  });

  it('has nothing else: no source, map, test or state, and nothing of an earlier build', () => {
    const sources = new Set(listSources().map((path) => `dist/${path.replace(/\.ts$/, '')}`));
    const others = paths.filter((path) => {
      const [folder = ''] = path.split('/');
      if (single.includes(path) || preparedDefinitions.includes(path) || pageFile.test(path)) return false;
      if (folder === 'examples') return /(^|\/)(state|node_modules)\//.test(path);
      if (folder === 'dist') return !sources.has(path.replace(/(\.d\.ts|\.js)$/, ''));
      return !(endings[folder] ?? []).includes(extname(path));
    });
    assert.deepEqual(others, []);
    assert.deepEqual(
      paths.filter((path) => path.startsWith('test/') && posix.dirname(path) !== 'test/recordings'),
      [],
    );
  });

  it('has no large file', () => {
    assert.deepEqual(
      packed.files
        .filter(({ path, size }) => size > (large.includes(path) ? 3 : 1) * largestBytes)
        .map(({ path, size }) => `${path}: ${size}`),
      [],
    );
    // Fastify was a package of its own before the build made one file of it.
    const { size: fastifyBytes } = packed.files.find(({ path }) => path === fastifyFile)!;
    const ownBytes = packed.unpackedSize - fastifyBytes;
    assert.ok(ownBytes < 12_000_000, `${ownBytes} bytes`);
  });

  it('has TypeBox in one file, with its licence', () => {
    const text = readFileSync(join(packed.folder, 'dist/src/typebox.js'), 'utf8');
    assert.doesNotMatch(text, /from ?["']@sinclair/);
    assert.match(text, /The MIT License[\s\S]+Haydn Paterson[\s\S]+WITHOUT WARRANTY/);
  });

  it('has Fastify in one file, with the licences of what is in it', () => {
    const text = readFileSync(join(packed.folder, 'dist/plugins/http-api/server/fastify.js'), 'utf8');
    for (const name of ['fastify', 'light-my-request', 'cookie', 'find-my-way', 'ajv']) {
      assert.match(text, new RegExp(`^${name} \\d+\\.\\d+\\.\\d+: `, 'm'));
    }
  });

  it('has what its manifest points to', () => {
    const targets = [...Object.values(manifest.exports), manifest.bin]
      .flatMap((target) => (typeof target === 'string' ? [target] : Object.values(target as object)))
      .map((path: string) => posix.normalize(path));
    const missing = targets.filter((path) => !paths.some((each) => matches(each, path)));
    assert.deepEqual(missing, []);
  });

  it('has no link in its pages to a file that it leaves out, except to what only a checkout has', () => {
    const ofCheckout = /^(src|test|bench|tools)(\/|$)|^(ARCHITECTURE|CONTRIBUTING)\.md$/;
    const broken = paths
      .filter((path) => path.endsWith('.md'))
      .flatMap((page) =>
        [...readFileSync(page, 'utf8').matchAll(/\]\(([^)\s#:]+)(?:#[^)]*)?\)/g)]
          .map(([, target = '']) => posix.join(dirname(page), target).replace(/\/$/, ''))
          .filter((target) => !ofCheckout.test(target) && existsSync(target))
          .filter((target) => !paths.some((path) => path === target || path.startsWith(`${target}/`)))
          .map((target) => `${page}: ${target}`),
      );
    assert.deepEqual(broken, []);
  });

  it('names where the project lives, so that the registry can show its pages', () => {
    const { repository, bugs, homepage, author, license, keywords, engines } = manifest;
    assert.match(repository.url, /^git\+https:\/\/\S+\.git$/);
    assert.match(bugs, /^https:\/\//);
    assert.match(homepage, /^https:\/\//);
    assert.deepEqual([author, license, engines.node], ['The Waywiser authors', 'Apache-2.0', '>=20.19']);
    assert.ok(keywords.includes('snmp'));
  });

  it('installs without running a script of any package', () => {
    const { packages } = JSON.parse(readFileSync('package-lock.json', 'utf8')) as {
      readonly packages: Readonly<
        Record<string, { readonly hasInstallScript?: boolean; readonly dev?: boolean }>
      >;
    };
    const scripted = Object.entries(packages).filter(
      ([, { hasInstallScript, dev }]) => hasInstallScript && !dev,
    );
    assert.deepEqual(scripted, []);
    const { scripts } = manifest as { readonly scripts: Readonly<Record<string, string>> };
    const atInstall = ['preinstall', 'install', 'postinstall', 'prepare'];
    assert.deepEqual(
      atInstall.filter((name) => name in scripts),
      [],
    );
  });
});

/** The TypeScript files that are built into the package one by one, from the root of the checkout. */
function listSources(): string[] {
  return ['src', 'plugins', 'authoring', 'cli'].flatMap((folder) =>
    readdirSync(join(checkout, folder), { recursive: true, encoding: 'utf8' })
      .filter((name) => name.endsWith('.ts'))
      .map((name) => posix.join(folder, name.replaceAll(sep, '/')))
      .filter((path) => !path.startsWith('plugins/web-page/browser/')),
  );
}

/** `./dist/plugins/*` stands for every plugin. */
function matches(path: string, target: string): boolean {
  const [start = '', end] = target.split('*');
  return end === undefined ? path === target : path.startsWith(start) && path.endsWith(end);
}
