import { execFileSync } from 'node:child_process';
import { fileURLToPath } from 'node:url';

const root = new URL('../../', import.meta.url);

/** Speed is measured on the built code, as users run it: what runs TypeScript directly gives each closure a name, at a price. */
export function buildCode(): void {
  const stdio = ['ignore', 'inherit', 'ignore'] as const;
  execFileSync('npm', ['run', '-s', 'build'], { cwd: fileURLToPath(root), stdio: [...stdio] });
}

/** A module of the built code by its path in the sources. */
export async function importBuilt<Module>(path: string): Promise<Module> {
  return (await import(new URL(`dist/${path.replace(/\.ts$/, '.js')}`, root).href)) as Module;
}
