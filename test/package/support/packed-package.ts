import { execFile } from 'node:child_process';
import { cpSync, mkdirSync, mkdtempSync, realpathSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join, relative } from 'node:path';
import { platform } from 'node:process';
import { promisify } from 'node:util';

const run = promisify(execFile);
/** The checkout itself: tests run in a copy of it whose `node_modules` is a link. */
export const checkout = dirname(realpathSync('node_modules'));
const left = ['.git', 'node_modules', 'coverage', 'dist', join('examples', 'demo', 'state')];

export interface PackedPackage {
  /** The checkout that was packed, with its build. */
  readonly folder: string;
  readonly tarball: string;
  readonly files: readonly { readonly path: string; readonly size: number }[];
  readonly unpackedSize: number;
}

let packed: Promise<PackedPackage> | undefined;

/**
 * What `npm pack` makes of a copy of the checkout, once for all tests of a process. The copy holds what an earlier build, a
 * collector and a run with coverage leave behind.
 */
export function packOnce(): Promise<PackedPackage> {
  packed ??= pack();
  return packed;
}

async function pack(): Promise<PackedPackage> {
  const folder = mkdtempSync(join(tmpdir(), 'waywiser-pack-'));
  // Several suites use it, so it stays until the process ends.
  process.once('exit', () => rmSync(folder, { recursive: true, force: true }));
  const copy = join(folder, 'checkout');
  cpSync(checkout, copy, { recursive: true, filter: (path) => !left.includes(relative(checkout, path)) });
  symlinkSync(join(checkout, 'node_modules'), join(copy, 'node_modules'), 'junction');
  for (const stale of [
    'dist/src/gone.js',
    'dist/.tsbuildinfo',
    'examples/demo/state/x',
    'coverage/lcov.info',
  ]) {
    mkdirSync(dirname(join(copy, stale)), { recursive: true });
    writeFileSync(join(copy, stale), '');
  }
  const { NODE_V8_COVERAGE: _, ...env } = process.env;
  const { stdout } = await run('npm', ['pack', '--json', '--pack-destination', folder], {
    cwd: copy,
    env,
    shell: platform === 'win32',
    maxBuffer: 16 << 20,
  });
  const [{ filename, files, unpackedSize }] = JSON.parse(stdout.slice(stdout.indexOf('['))) as [
    Omit<PackedPackage, 'tarball'> & { readonly filename: string },
  ];
  return { folder: copy, tarball: join(folder, filename), files, unpackedSize };
}
