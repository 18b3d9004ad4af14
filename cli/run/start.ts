import { existsSync } from 'node:fs';
import { availableParallelism } from 'node:os';
import { join } from 'node:path';
import { env, stderr } from 'node:process';
import { assembleCollector, type CollectorSetup, loadSetup } from '../../src/collector/index.ts';
import type { WaywiserError } from '../../src/kernel/index.ts';
import { type CollectorDescription, createLogger, type Logger, pluginKinds } from '../../src/kernel/index.ts';
import { countResources } from '../../src/testing/open-resources.ts';
import { exitCodes } from '../terminal/exit-codes.ts';
import { printFailure } from '../terminal/failure.ts';
import { formatTable } from '../terminal/table.ts';
import { parseWholeNumber } from '../terminal/whole-number.ts';
import { makeDeferred } from './deferred.ts';
import { endProcess } from './end-process.ts';
import { openLogStream } from './log-format.ts';
import { guardProcess } from './process-guard.ts';
import { onSignals } from './signals.ts';
import type { Workers } from './workers/run-workers.ts';

interface StartOptions {
  readonly config: string;
  /** Takes the place of `workers` in the configuration. */
  readonly workers?: string;
  /** Writes the stacks of errors to the log. */
  readonly debugPlugins?: boolean;
}

/** Runs a collector until a signal, or until a plugin breaks it, and ends the process. */
export async function start({ config, workers, debugPlugins = false }: StartOptions): Promise<never> {
  const before = countResources();
  let report = (_leftOpen: readonly string[]) => {};
  let code: number;
  try {
    const wanted = readWorkers(workers);
    const setup = await loadSetup(config, { env });
    const count = countWorkers(wanted ?? setup.keys.workers);
    const log = createLogger({
      level: setup.keys.log_level,
      instance: setup.keys.instance,
      destination: openLogStream({
        format: setup.keys.log_format,
        isTerminal: stderr.isTTY,
        env,
        write: (text) => stderr.write(text),
      }),
      hasStacks: debugPlugins,
    });
    report = (leftOpen) => reportLeftOpen(leftOpen, setup, log);
    const pool =
      count === 0
        ? undefined
        : (await import('./workers/run-workers.ts')).prepareWorkers(setup, log, {
            count,
            config,
            debugPlugins,
          });
    code = await runCollector(pool?.setup ?? setup, log, pool).catch((error: unknown) => {
      if (debugPlugins) log.error({ error }, 'The collector did not start.');
      throw error;
    });
  } catch (error) {
    printFailure(error);
    code = exitCodes.failed;
  }
  return endProcess(code, before, report);
}

/** The value of `--workers`. */
function readWorkers(text: string | undefined): number | 'auto' | undefined {
  if (text === undefined || text === 'auto') return text;
  return parseWholeNumber(text, { option: '--workers', least: 0, most: 64 });
}

/** With one core, a process beside this one would only cost memory. */
function countWorkers(wanted: number | 'auto'): number {
  if (wanted !== 'auto') return wanted;
  const cores = availableParallelism();
  return cores > 1 ? cores : 0;
}

function reportLeftOpen(leftOpen: readonly string[], { plugins }: CollectorSetup, log: Logger): void {
  const suspects = plugins.filter(({ isBuiltIn }) => !isBuiltIn).map(({ name }) => name);
  const message = 'Something was left open after the stop. The process ends nevertheless.';
  log.warn({ leftOpen, pluginsNotBuiltIn: suspects }, message);
}

/** Resolves to the exit code when the collector has stopped. */
async function runCollector(
  setup: Pick<CollectorSetup, 'keys' | 'plugins'>,
  log: Logger,
  workers: Workers | undefined,
): Promise<number> {
  const { plugins } = setup;
  const exit = process.exit;
  const { promise: ended, resolve: finish } = makeDeferred<number>();
  const end = async (why: string, code: number) => {
    log.info({ why }, 'The collector is stopping.');
    await workers?.stop(why);
    const failures = await collector.stop(why);
    log.info({ failures: failures.length }, 'The collector has stopped.');
    finish(code === exitCodes.done && failures.length > 0 ? exitCodes.notCleanly : code);
  };
  const endBecause = (why: string) => (error: WaywiserError) => {
    log.error({ error }, error.message);
    void end(why, exitCodes.broken);
  };
  const onLost = endBecause('another collector uses its directories');
  const collector = assembleCollector(setup, log, onLost, () => moveState(setup, log, workers?.names ?? []));
  const releases = [
    guardProcess(plugins, endBecause('a plugin broke the collector')),
    onSignals((signal) => void end(`received ${signal}`, exitCodes.done), exit),
  ];

  // Keeps a collector without an open socket or timer running until it is stopped.
  const keepAlive = setInterval(() => {}, 2 ** 30);
  try {
    const isReady = await collector.start();
    if (isReady) announce(collector.describe(), log);
    if (isReady) workers?.start(collector);
    if (plugins.length === 0) log.warn('The configuration names no plugins, so the collector does nothing.');
    return await ended;
  } finally {
    clearInterval(keepAlive);
    for (const release of releases) release();
  }
}

/** What workers have kept, of this run or of an earlier one with another number of them, goes to where it is needed. */
async function moveState(
  { keys, plugins }: Pick<CollectorSetup, 'keys' | 'plugins'>,
  log: Logger,
  workers: readonly string[],
): Promise<void> {
  const stateDirectory = keys.state_directory;
  if (workers.length === 0 && !existsSync(join(stateDirectory, 'workers'))) return;
  const { moveWorkerState } = await import('./workers/worker-state.ts');
  await moveWorkerState({ stateDirectory, workers, plugins, log });
}

function announce(description: CollectorDescription, log: Logger): void {
  const { bootMs, plugins } = description;
  log.info({ plugins: plugins.length, bootMs: Math.round(bootMs) }, 'The collector is ready.');
  if (stderr.isTTY) stderr.write(`${formatBootTree(description)}\n`);
}

/** The plugins in the order of their start: what each uses, and how long its start took. */
function formatBootTree({ bootMs, plugins }: CollectorDescription): string {
  const rows = pluginKinds.flatMap((kind) =>
    plugins
      .filter((plugin) => plugin.kind === kind)
      .map(({ name, state, startMs, needs }) => [
        kind,
        name,
        state,
        `${startMs.toFixed(1)} ms`,
        needs.join(', '),
      ]),
  );
  return `${formatTable(['kind', 'plugin', 'state', 'start', 'uses'], rows)}\n${plugins.length} plugins in ${bootMs.toFixed(0)} ms`;
}
