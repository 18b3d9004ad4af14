import { execFileSync } from 'node:child_process';
import { existsSync, mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { cwd } from 'node:process';

/** Calls `use` with a folder of the declaration files that a build would write, by the paths of their sources. */
export function withDeclarations<T>(use: (read: (source: string) => string | undefined) => T): T {
  const folder = mkdtempSync(join(tmpdir(), 'waywiser-declarations-'));
  const compiler = join(cwd(), 'node_modules/typescript/bin/tsc');
  const settings = [
    '--emitDeclarationOnly',
    '--sourceMap',
    'false',
    '--incremental',
    'false',
    '--tsBuildInfoFile',
    'null',
  ];
  try {
    execFileSync(process.execPath, [compiler, '-p', 'tsconfig.build.json', '--outDir', folder, ...settings], {
      stdio: ['ignore', 'inherit', 'inherit'],
    });
    return use((source) => {
      const file = join(folder, source.replace(/\.ts$/, '.d.ts'));
      return existsSync(file) ? readFileSync(file, 'utf8') : undefined;
    });
  } finally {
    rmSync(folder, { recursive: true, force: true });
  }
}
