import { existsSync, readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { basename, dirname, join, relative, resolve } from 'node:path';
import { cwd } from 'node:process';
import { makeFolder } from '../../src/kernel/make-folder.ts';
import { systemReasonOf } from '../../src/kernel/system-reason.ts';
import { suggestName } from '../../src/nearest-name.ts';
import { packageRoot, packageVersion } from '../../src/own-package.ts';
import { cliFailure } from '../cli-errors.ts';
import { exitCodes } from '../terminal/exit-codes.ts';

/** The example that each kind of package starts from. */
const exampleOf: Readonly<Record<string, string>> = {
  plugin: 'third-party-plugin',
  output: 'third-party-output',
  processor: 'third-party-processor',
  source: 'third-party-source',
  typescript: 'third-party-typescript',
  definitions: 'custom-definition',
};

/** `waywiser new WHAT DIRECTORY`: copies an example under a new name. Its tests pass without a change. */
export async function writePackage(what: string, directory: string): Promise<number> {
  const target = resolve(directory);
  const files = [...buildPackage(what, target)].map(
    ([path, content]) => [join(target, path), content] as const,
  );
  try {
    for (const [file, content] of files) {
      makeFolder(dirname(file));
      writeFileSync(file, content, { flag: 'wx' });
    }
  } catch (error) {
    throw cliFailure('PACKAGE_UNWRITABLE', { directory, reason: systemReasonOf(error) });
  }
  for (const [file] of files) console.log(`  ${relative(cwd(), file)}`);
  console.log(`\nNext: cd ${relative(cwd(), target) || '.'} && npm install && npm test`);
  return exitCodes.done;
}

/** The files of the package by their path. Throws when the example, the name or the directory cannot be used. */
function buildPackage(what: string, target: string): ReadonlyMap<string, Buffer | string> {
  const example = exampleOf[what];
  if (example === undefined) {
    const known = Object.keys(exampleOf);
    const suggestion = suggestName(what, known);
    throw cliFailure('TEMPLATE_UNKNOWN', { template: what, suggestion, known: known.join(', ') });
  }
  const name = basename(target);
  if (!/^[a-z][a-z0-9-]*$/.test(name)) throw cliFailure('PACKAGE_NAME_INVALID', { name });
  if (existsSync(target) && readdirSync(target).length > 0) {
    throw cliFailure('DIRECTORY_NOT_EMPTY', { directory: relative(cwd(), target) });
  }
  const source = join(packageRoot(), 'examples', example);
  const files = new Map(
    listFiles(source).map((path) => [path, rename(readFileSync(join(source, path)), example, name)]),
  );
  return files.set('package.json', dependOnWaywiser(String(files.get('package.json')), target));
}

/** Below `folder`, without what an installation or a run of the example left there. */
function listFiles(folder: string): string[] {
  return readdirSync(folder, { withFileTypes: true })
    .filter(({ name }) => !leftOut.has(name))
    .flatMap((entry) =>
      entry.isDirectory()
        ? listFiles(join(folder, entry.name)).map((path) => join(entry.name, path))
        : entry.name,
    );
}

const leftOut: ReadonlySet<string> = new Set(['node_modules', 'package-lock.json', 'state', 'dist']);

/** The example's name stands alone, between quotes, spaces or slashes; what only contains it stays. */
function rename(content: Buffer, example: string, name: string): string {
  return content.toString().replace(new RegExp(`(?<![\\w-])${example}(?!\\w)`, 'g'), () => name);
}

/** A package beside a checkout uses the checkout; elsewhere the published version. */
function dependOnWaywiser(manifest: string, target: string): string {
  const root = packageRoot();
  const { peerDependencies, devDependencies, ...rest } = JSON.parse(manifest);
  const isCheckout = existsSync(join(root, 'src'));
  const waywiser = isCheckout ? `file:${relative(target, root)}` : packageVersion();
  const changed = {
    ...rest,
    peerDependencies: { ...peerDependencies, waywiser: `>=${packageVersion()}` },
    devDependencies: { ...devDependencies, waywiser },
  };
  return `${JSON.stringify(changed, undefined, 2)}\n`;
}
