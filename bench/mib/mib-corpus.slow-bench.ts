import { execFileSync } from 'node:child_process';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join, resolve } from 'node:path';
import { env, execPath } from 'node:process';
import { fileURLToPath } from 'node:url';
import { buildCode } from '../support/built-code.ts';

/** Reads the corpus of public MIBs, all of it and one module with its imports. `MIB_CORPUS` names a folder with another corpus. */
buildCode();
const folder = mkdtempSync(join(tmpdir(), 'waywiser-mibs-'));
try {
  const given = env['MIB_CORPUS'];
  if (given === undefined)
    execFileSync('tar', ['-xJf', resolve('../shared/mibs-corpus.tar.xz'), '-C', folder]);
  const corpus = given ?? folder;
  const all = read(corpus);
  report('to compile the corpus, CPU', all.cpuMs, 'ms', '≤ 15000');
  report('memory with the corpus', all.rssBytes / 2 ** 20, 'MiB', '≤ 1500');
  report('modules of the corpus', all.modules, 'modules', '');
  report('nodes of the corpus', all.nodes, 'nodes', '');
  report('to compile IF-MIB out of the corpus, CPU', read(corpus, 'IF-MIB').cpuMs, 'ms', '≤ 300');
} finally {
  rmSync(folder, { recursive: true });
}

function read(
  ...parameters: readonly string[]
): Readonly<Record<'cpuMs' | 'rssBytes' | 'modules' | 'nodes', number>> {
  const script = fileURLToPath(new URL('./read-corpus.ts', import.meta.url));
  const output = execFileSync(execPath, ['--import', 'tsx', script, ...parameters], { encoding: 'utf8' });
  return JSON.parse(output);
}

function report(figure: string, value: number, unit: string, target: string): void {
  console.log(JSON.stringify({ figure, value: Number(value.toPrecision(6)), unit, target }));
}
