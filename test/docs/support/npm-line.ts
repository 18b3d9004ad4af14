import { existsSync, readFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { listFiles, repositoryRoot } from '../../house/support/source-file.ts';

interface Manifest {
  readonly scripts?: Readonly<Record<string, string>>;
  readonly peerDependencies?: Readonly<Record<string, string>>;
  readonly devDependencies?: Readonly<Record<string, string>>;
}

/**
 * Why an `npm` line would fail, or undefined. Nothing is run: test/examples/packages.test.ts runs the packages
 * among the examples, test/cli/authoring/new.test.ts the generated ones. `folder` is where the line would be typed.
 */
export function findNpmFault(words: readonly string[], page: string, folder: string): string | undefined {
  const ours = dirname(page).startsWith('examples/') ? join(repositoryRoot, dirname(page)) : repositoryRoot;
  const manifest = [folder, ours, repositoryRoot].map(readManifest).find((found) => found !== undefined);
  if (manifest === undefined) return 'there is no package';
  const [command = '', ...rest] = words;
  if (command === 'install' && rest.length > 0) return findPackageFault(rest);
  if (['install', 'ci', 'pack', 'sbom'].includes(command)) return undefined;
  const isRun = command === 'run' || command === 'run-script';
  const script = isRun ? rest.find((word) => !word.startsWith('-')) : command;
  if (manifest.scripts?.[script ?? ''] === undefined) return `there is no script "${script}"`;
  const after = rest.includes('--') ? rest.slice(rest.indexOf('--') + 1) : [];
  if (script === 'test') return after.find((path) => !existsSync(join(repositoryRoot, path)));
  if (script !== 'bench') return undefined;
  const benches = listFiles('bench').filter((path) => /[.-]bench\.ts$/.test(path));
  return after.find((word) => !benches.some((path) => path.includes(word)));
}

/** `npm install mqtt@5` must name a package that users add themselves, in the version that the tests here use. */
function findPackageFault(words: readonly string[]): string | undefined {
  const { peerDependencies = {}, devDependencies = {} } = readManifest(repositoryRoot) ?? {};
  return words.find((word) => {
    if (word === '--save-dev') return false;
    const [, name = '', major] = /^(@?[^@]+)@(\d+)$/.exec(word) ?? [];
    return peerDependencies[name] === undefined || !devDependencies[name]?.startsWith(`${major}.`);
  });
}

function readManifest(folder: string): Manifest | undefined {
  const file = join(folder, 'package.json');
  return existsSync(file) ? (JSON.parse(readFileSync(file, 'utf8')) as Manifest) : undefined;
}
