import { execFile } from 'node:child_process';
import { cpSync, existsSync, mkdirSync, readFileSync, symlinkSync } from 'node:fs';
import { join } from 'node:path';
import { platform } from 'node:process';
import { promisify } from 'node:util';
import { checkout } from './packed-package.ts';

const run = promisify(execFile);

interface Lockfile {
  readonly packages: Readonly<Record<string, { readonly dev?: boolean; readonly peer?: boolean }>>;
}

/**
 * What `npm install TARBALL` leaves in an empty folder, without a registry: the content of the tarball, a copy of each of its
 * dependencies from the `node_modules` of the checkout, and the command. Throws when the checkout lacks a dependency.
 */
export async function installPackage(tarball: string, folder: string): Promise<void> {
  const modules = join(folder, 'node_modules');
  const target = join(modules, 'waywiser');
  mkdirSync(target, { recursive: true });
  await run('tar', ['-xzf', tarball, '-C', target, '--strip-components=1']);
  const { packages } = JSON.parse(readFileSync(join(checkout, 'package-lock.json'), 'utf8')) as Lockfile;
  for (const [path, { dev, peer }] of Object.entries(packages)) {
    if (path === '' || dev || peer) continue;
    const from = join(checkout, path);
    if (!existsSync(from)) throw new Error(`${path} is missing: run npm ci in ${checkout}`);
    // Nested packages come with the one that holds them.
    if (path.lastIndexOf('node_modules/') === 0) cpSync(from, join(folder, path), { recursive: true });
  }
  linkCommand(modules);
}

/** Adds a package that a user installs beside, with all that it asks for, from the `node_modules` of the checkout. */
export function addPackage(name: string, folder: string): void {
  const to = join(folder, 'node_modules', name);
  if (existsSync(to)) return;
  const from = join(checkout, 'node_modules', name);
  cpSync(from, to, { recursive: true });
  const { dependencies = {} } = JSON.parse(readFileSync(join(from, 'package.json'), 'utf8')) as {
    readonly dependencies?: Readonly<Record<string, string>>;
  };
  for (const dependency of Object.keys(dependencies)) {
    // Nested packages come with the one that holds them.
    if (!existsSync(join(from, 'node_modules', dependency))) addPackage(dependency, folder);
  }
}

function linkCommand(modules: string): void {
  if (platform === 'win32') return;
  mkdirSync(join(modules, '.bin'));
  symlinkSync('../waywiser/dist/cli/main.js', join(modules, '.bin', 'waywiser'));
}
