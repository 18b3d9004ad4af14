import { execFileSync } from 'node:child_process';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { execPath } from 'node:process';
import { fileURLToPath } from 'node:url';
import { importLoader } from './built-loader.ts';

/** How long the shipped definitions take from the files to the first generation, with the built code. */
const root = fileURLToPath(new URL('../..', import.meta.url));
const { DefinitionStore, startThread } = await importLoader();
const definitions = join(root, 'definitions');
const runs = 7;

const loads: number[] = [];
const reads: Cost[] = [];
for (let run = 0; run < runs; run++) {
  loads.push(await loadOnce());
  reads.push(readOnce());
}
const read = 'shipped definitions, read, checked and compiled by a cold process';
print(read, median(reads.map(({ wallMs }) => wallMs)), 'ms', '≤ 300');
print(`${read}, CPU`, median(reads.map(({ cpuMs }) => cpuMs)), 'ms', '≤ 300');
print('the same with the start of the thread and the first snapshot', median(loads), 'ms', '');

interface Cost {
  readonly wallMs: number;
  readonly cpuMs: number;
}

/** In its own process: no code is compiled, and only the cache of the file system is warm. */
function readOnce(): Cost {
  const engine = new URL(
    '../../dist/plugins/definitions-loader/worker/definition-engine.js',
    import.meta.url,
  );
  const script = `const { DefinitionEngine } = await import(${JSON.stringify(engine.href)});
const begun = performance.now();
const cpu = process.cpuUsage();
const { problems } = new DefinitionEngine({}).read({ directories: [${JSON.stringify(definitions)}] });
const { user, system } = process.cpuUsage(cpu);
if (problems.length > 0) throw new Error('The shipped definitions have problems.');
console.log(JSON.stringify({ wallMs: performance.now() - begun, cpuMs: (user + system) / 1000 }));`;
  return JSON.parse(execFileSync(execPath, ['--input-type=module', '-e', script], { encoding: 'utf8' }));
}

/** With its own worker and state directory, as at the first start. */
async function loadOnce(): Promise<number> {
  const stateDirectory = mkdtempSync(join(tmpdir(), 'waywiser-bench-'));
  const store = new DefinitionStore({
    sources: { directories: [definitions] },
    collector: { stateDirectory, secretsDirectory: undefined },
    events: { on: () => () => {}, emit() {} },
    log: { debug() {}, info() {}, warn() {}, error() {} } as never,
    now: Date.now,
    startThread,
  });
  const begun = performance.now();
  await store.load();
  const took = performance.now() - begun;
  await store.close();
  rmSync(stateDirectory, { recursive: true, force: true });
  return took;
}

function median(values: readonly number[]): number {
  return values.toSorted((a, b) => a - b)[values.length >> 1]!;
}

function print(figure: string, value: number, unit: string, target: string): void {
  console.log(JSON.stringify({ figure, value: Number(value.toPrecision(3)), unit, target }));
}
