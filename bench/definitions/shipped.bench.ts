import { execFileSync } from 'node:child_process';
import { mkdtempSync, readdirSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { cpuUsage } from 'node:process';
import { fileURLToPath } from 'node:url';
import { load } from 'js-yaml';

/** How long a collector waits for the definitions that ship: from the files to the first generation, by the built code. */
const root = fileURLToPath(new URL('../..', import.meta.url));
execFileSync('npm', ['run', '-s', 'build'], { cwd: root, stdio: ['ignore', 'inherit', 'ignore'] });
const built = new URL(
  '../../dist/plugins/definitions-loader/generation/definition-keeper.js',
  import.meta.url,
);
const { DefinitionKeeper } = (await import(
  built.href
)) as typeof import('../../plugins/definitions-loader/generation/definition-keeper.ts');
const definitions = join(root, 'definitions');
const runs = 7;

const loadMs: number[] = [];
const cpuMs: number[] = [];
const parseMs: number[] = [];
for (let run = 0; run < runs; run++) {
  const begun = cpuUsage();
  loadMs.push(await loadOnce());
  const { user, system } = cpuUsage(begun);
  cpuMs.push((user + system) / 1000);
  parseMs.push(parseAlone());
}
print('shipped definitions, cold load and check', median(loadMs), 'ms', '≤ 300');
print('CPU of it, all threads and the end of the worker', median(cpuMs), 'ms', '');
print('js-yaml alone on the same bytes', median(parseMs), 'ms', '');

/** With a worker and a state directory of its own, as at the first start. */
async function loadOnce(): Promise<number> {
  const stateDirectory = mkdtempSync(join(tmpdir(), 'waywiser-bench-'));
  const keeper = new DefinitionKeeper({
    sources: { directories: [definitions] },
    collector: { stateDirectory, secretsDirectory: undefined },
    events: { on: () => () => {}, emit() {} },
    log: { debug() {}, info() {}, warn() {}, error() {} } as never,
    now: Date.now,
  });
  const begun = performance.now();
  await keeper.load();
  const took = performance.now() - begun;
  await keeper.close();
  rmSync(stateDirectory, { recursive: true, force: true });
  return took;
}

function parseAlone(): number {
  const texts = readdirSync(definitions, { recursive: true, encoding: 'utf8' })
    .filter((name) => name.endsWith('.yml'))
    .map((name) => readFileSync(join(definitions, name), 'utf8'));
  const begun = performance.now();
  for (const text of texts) load(text);
  return performance.now() - begun;
}

function median(values: readonly number[]): number {
  return values.toSorted((a, b) => a - b)[values.length >> 1]!;
}

function print(figure: string, value: number, unit: string, target: string): void {
  console.log(JSON.stringify({ figure, value: Number(value.toPrecision(3)), unit, target }));
}
