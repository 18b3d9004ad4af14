import { execFile } from 'node:child_process';
import { cpSync, mkdirSync, readFileSync, symlinkSync, writeFileSync } from 'node:fs';
import { basename, dirname, extname, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { promisify } from 'node:util';

const root = fileURLToPath(new URL('../../', import.meta.url));
const extension = extname(import.meta.url);
const run = promisify(execFile);

interface Manifest {
  readonly exports: Readonly<Record<string, string | { readonly default: string }>>;
}

/**
 * Copies an example without what `npm install` and a run leave there. `node_modules/waywiser` of an example links to the repository, so
 * that a test which writes below a copied link would write into it.
 */
export function copyPackage(name: string, folder: string): void {
  const example = join(root, 'examples', name);
  cpSync(example, folder, { recursive: true, filter: (path) => !leftovers.includes(basename(path)) });
}

const leftovers = ['node_modules', 'package-lock.json', 'state'];

/** What `npm install` would do for a package beside a checkout, with the sources in the place of the build. */
export function installOurselves(folder: string): void {
  const ours = join(folder, 'node_modules', 'waywiser');
  mkdirSync(dirname(ours), { recursive: true });
  // Not recursive, so that it fails where there is a link already.
  mkdirSync(ours);
  const { exports: published } = JSON.parse(readFileSync(join(root, 'package.json'), 'utf8')) as Manifest;
  const exports = Object.fromEntries(
    Object.entries(published).flatMap(([entry, target]) =>
      typeof target === 'string' ? [] : [[entry, sourceOf(target.default)]],
    ),
  );
  writeFileSync(join(ours, 'package.json'), JSON.stringify({ name: 'waywiser', type: 'module', exports }));
  for (const part of ['src', 'plugins', 'authoring', 'cli']) symlinkSync(join(root, part), join(ours, part));
  symlinkSync(join(root, 'node_modules', 'fastify'), join(folder, 'node_modules', 'fastify'));
}

/** `./dist/src/index.js` is built from `./src/index.ts`. */
function sourceOf(built: string): string {
  return built.replace('./dist/', './').replace(/\.js$/, extension);
}

/** Runs the tests of a package as its author would; answers with what the runner printed. Rejects when one fails. */
export async function runPackageTests(folder: string): Promise<string> {
  // The child is a test runner of its own.
  const { NODE_TEST_CONTEXT: _, ...given } = process.env;
  // By the environment, for a test may start the program of its package.
  const env = { ...given, NODE_OPTIONS: `--import ${import.meta.resolve('tsx')}` };
  const { stdout } = await run(process.execPath, ['--test'], { cwd: folder, env });
  return stdout;
}
