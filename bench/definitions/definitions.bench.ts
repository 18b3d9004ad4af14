import { mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { monitorEventLoopDelay } from 'node:perf_hooks';
import { env, memoryUsage } from 'node:process';
import { setTimeout as sleep } from 'node:timers/promises';
import { load } from 'js-yaml';
import { importLoader } from './built-loader.ts';
import { largestRealSet, writeCorpus } from './corpus.ts';
import { IdleLoop } from './idle-loop.ts';

/**
 * Measures the definitions-loader with a set as large as the largest real one, one JSON line per figure. Measures the built
 * code, as users run it.
 */
const { DefinitionStore, startThread } = await importLoader();
const folder = mkdtempSync(join(tmpdir(), 'waywiser-bench-'));
env['BENCH_COMMUNITY'] = 'bench';
try {
  const definitions = join(folder, 'definitions');
  const bytes = writeCorpus(definitions, largestRealSet).reduce((sum, text) => sum + text.length, 0);
  print('corpus', bytes / 1e6, 'MB', '22');
  const loadMs = await measure(definitions, join(folder, 'state'));
  const parseMs = parseAlone(definitions);
  print('js-yaml alone', parseMs, 'ms', '');
  print('cold load and check, over js-yaml alone on the same bytes', loadMs / parseMs, 'times', '≤ 4');
} finally {
  rmSync(folder, { recursive: true, force: true });
}

/** Returns the time of the cold load. */
async function measure(definitions: string, stateDirectory: string): Promise<number> {
  const quiet = { debug() {}, info() {}, warn() {}, error() {} };
  const store = new DefinitionStore({
    sources: { directories: [definitions] },
    collector: { stateDirectory, secretsDirectory: undefined },
    events: { on: () => () => {}, emit() {} },
    log: quiet as never,
    now: Date.now,
    startThread,
  });
  const delay = monitorEventLoopDelay({ resolution: 2 });
  const idle = new IdleLoop();
  globalThis.gc?.();
  await sleep(500);
  const emptyBytes = memoryUsage().rss;
  delay.enable();
  await idle.takeLongestStallMs();

  const loadMs = await time(() => store.load());
  print('cold load and check', loadMs, 'ms', '≤ 2500');
  print('longest stall of the main loop while loading', delay.max / 1e6, 'ms', '≤ 20');
  print('longest stall of an idle loop meanwhile', await idle.takeLongestStallMs(), 'ms', '');
  await sleep(2_000);
  delay.reset();
  await idle.takeLongestStallMs();

  const unchanged = await median(5, () => store.apply({ requestedBy: 'bench' }));
  print('apply without a change', unchanged, 'ms', '≤ 300');
  let round = 0;
  const oneFile = await median(5, () => {
    changeOneFile(definitions, round++);
    return store.apply({ requestedBy: 'bench' });
  });
  print('apply with one file changed', oneFile, 'ms', '≤ 400');
  print('longest stall of the main loop while applying', delay.max / 1e6, 'ms', '≤ 20');
  print('longest stall of an idle loop meanwhile', await idle.takeLongestStallMs(), 'ms', '');

  const devices = [...store.current.groupedDevices()];
  const groups = new Set(['kind1', 'kind2']);
  const affected = await median(5, async () =>
    devices.filter(({ deviceGroups }) => deviceGroups.some((id) => groups.has(id))),
  );
  print(`affected devices of ${devices.length}`, affected, 'ms', '≤ 50');
  print('memory above an empty collector', (memoryUsage().rss - emptyBytes) / 2 ** 20, 'MiB', '≤ 250');
  await store.close();
  await idle.close();
  return loadMs;
}

function parseAlone(definitions: string): number {
  const texts = readdirSync(definitions, { recursive: true, encoding: 'utf8' })
    .filter((name) => name.endsWith('.yml'))
    .map((name) => readFileSync(join(definitions, name), 'utf8'));
  const begun = performance.now();
  for (const text of texts) load(text);
  return performance.now() - begun;
}

function changeOneFile(definitions: string, round: number): void {
  const path = join(definitions, 'objects/mib7.yml');
  const text = readFileSync(path, 'utf8');
  writeFileSync(
    path,
    text.replace(/syntax: (Gauge32|Integer)\n/, `syntax: ${round % 2 ? 'Gauge32' : 'Integer'}\n`),
  );
}

async function time(run: () => Promise<unknown>): Promise<number> {
  const begun = performance.now();
  await run();
  return performance.now() - begun;
}

async function median(runs: number, run: () => Promise<unknown>): Promise<number> {
  const values: number[] = [];
  for (let i = 0; i < runs; i++) values.push(await time(run));
  return values.sort((a, b) => a - b)[runs >> 1]!;
}

function print(figure: string, value: number, unit: string, target: string): void {
  console.log(JSON.stringify({ figure, value: Number(value.toPrecision(3)), unit, target }));
}
