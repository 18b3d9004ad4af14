import { execFileSync } from 'node:child_process';
import { join } from 'node:path';
import { execPath } from 'node:process';
import { fileURLToPath } from 'node:url';
import { importLoader } from './built-loader.ts';

/** What the definitions that ship take of the memory of a process, with the built code: before and after the thread that reads them ends. */
const root = fileURLToPath(new URL('../..', import.meta.url));
const runs = 3;

await importLoader();
const without = measure([]);
const shipped = measure([join(root, 'definitions')]);
for (const at of ['reading', 'idle'] as const) {
  const when = at === 'reading' ? 'while the thread runs' : 'after it has ended';
  print(`resident without definitions, ${when}`, without[at].rss);
  print(`resident with those that ship, ${when}`, shipped[at].rss);
  print(`more, ${when}`, shipped[at].rss - without[at].rss, at === 'idle' ? '≤ 60' : '');
}
print('heap more', shipped.idle.heap - without.idle.heap);

interface Memory {
  readonly rss: number;
  readonly heap: number;
}

/** Medians of processes of their own, after a collection. */
function measure(directories: readonly string[]): Readonly<Record<'reading' | 'idle', Memory>> {
  const built = (path: string) => JSON.stringify(new URL(`../../dist/${path}`, import.meta.url).href);
  const script = `
const { mkdtempSync, rmSync } = await import('node:fs');
const { DefinitionStore } = await import(${built('plugins/definitions-loader/generation/definition-store.js')});
const { startThread } = await import(${built('plugins/definitions-loader/worker/start-thread.js')});
const stateDirectory = mkdtempSync((await import('node:os')).tmpdir() + '/waywiser-bench-');
let ended;
const store = new DefinitionStore({
  sources: { directories: ${JSON.stringify(directories)} },
  collector: { stateDirectory, secretsDirectory: undefined },
  events: { on: () => () => {}, emit() {} },
  log: { debug() {}, info() {}, warn() {}, error() {} },
  now: Date.now,
  startThread() {
    const thread = startThread();
    ended = new Promise((resolve) => thread.once('exit', resolve));
    return thread;
  },
  idleMs: 2_000,
});
const read = () => {
  gc();
  const { rss, heapUsed } = process.memoryUsage();
  return { rss, heap: heapUsed };
};
await store.load();
const reading = read();
const alive = setInterval(() => {}, 1_000);
await ended;
clearInterval(alive);
console.log(JSON.stringify({ reading, idle: read() }));
await store.close();
rmSync(stateDirectory, { recursive: true });`;
  const options = ['--expose-gc', '--input-type=module', '-e', script];
  const found = Array.from({ length: runs }, () =>
    JSON.parse(execFileSync(execPath, options, { encoding: 'utf8' })),
  );
  const median = (at: string, of: keyof Memory) =>
    found.map((run) => run[at][of] as number).toSorted((a, b) => a - b)[runs >> 1]!;
  const medians = (at: string): Memory => ({ rss: median(at, 'rss'), heap: median(at, 'heap') });
  return { reading: medians('reading'), idle: medians('idle') };
}

function print(figure: string, bytes: number, target = ''): void {
  console.log(JSON.stringify({ figure, value: Math.round(bytes / 2 ** 20), unit: 'MiB', target }));
}
