import { env } from 'node:process';
import {
  assembleCollector,
  type CollectorSetup,
  listQueuesElsewhere,
  loadSetup,
} from '../../src/collector/index.ts';
import { createLogger, explainError, WaywiserError } from '../../src/kernel/index.ts';
import type { Problem } from '../../src/model/index.ts';
import { packageVersion } from '../../src/own-package.ts';
import type { OutputPlugin } from '../../src/pipeline/index.ts';
import { checkUnlocked, checkWritable } from '../../src/storage/index.ts';

/**
 * Why a start with a configuration would fail. A port or a directory that is in use is a warning, because the same collector may run
 * already.
 */
export interface StartProblem {
  readonly level: Problem['level'];
  /** The code of an error, or `start`. */
  readonly rule: string;
  /** The plugin that would refuse to start; undefined for a problem of the configuration as a whole. */
  readonly plugin?: string;
  readonly message: string;
}

/**
 * Everything but definitions that `waywiser start` would refuse; `text` takes the place of what is in the file. Starts nothing, and writes
 * nothing.
 */
export async function findStartProblems(config: string, text?: string): Promise<StartProblem[]> {
  let setup: CollectorSetup;
  try {
    setup = await loadSetup(config, { env, text });
  } catch (error) {
    return [describe(error)];
  }
  const { keys, plugins } = setup;
  const log = createLogger({ level: 'silent', instance: keys.instance, destination: { write() {} } });
  const problems: StartProblem[] = [];
  const attempt = async (work: () => unknown, plugin?: string) => {
    try {
      await work();
    } catch (error) {
      problems.push(describe(error, plugin));
    }
  };
  await attempt(() => assembleCollector(setup, log));
  await attempt(() => checkWritable(keys.state_directory));
  await attempt(() => checkUnlocked(keys.state_directory));
  for (const { name, directory } of listQueuesElsewhere(plugins)) {
    await attempt(() => checkWritable(directory), name);
    await attempt(() => checkUnlocked(directory), name);
  }
  const outputs = plugins.filter(({ plugin }) => plugin.kind === 'output');
  const namesOf = (isWanted: (plugin: Partial<OutputPlugin>, options: unknown) => boolean) =>
    outputs.filter(({ plugin, options }) => isWanted(plugin, options)).map(({ name }) => name);
  const collector = {
    instance: keys.instance,
    version: packageVersion(),
    directory: keys.directory,
    stateDirectory: keys.state_directory,
    secretsDirectory: keys.secrets_directory,
  };
  const ofOutputs = {
    outputs: namesOf(() => true),
    eventOutputs: namesOf(({ takesEvents }, options) => takesEvents?.(options) ?? true),
    undeclaredOutputs: namesOf(({ declaresEvents }) => declaresEvents !== true),
  };
  for (const { name, plugin, options } of plugins) {
    const warn = (problem: Error) => void problems.push({ ...describe(problem, name), level: 'warning' });
    await attempt(() => plugin.check?.({ name, options, collector, log, warn, ...ofOutputs }), name);
  }
  return problems;
}

function describe(error: unknown, plugin?: string): StartProblem {
  const rule = error instanceof WaywiserError ? error.code : 'start';
  const level = isInUse(error) ? 'warning' : 'error';
  return { level, rule, ...(plugin === undefined ? {} : { plugin }), message: explainError(error) };
}

function isInUse(error: unknown): boolean {
  if (error instanceof WaywiserError && error.code === 'DIRECTORY_IN_USE') return true;
  const cause = error instanceof Error ? error.cause : undefined;
  return cause instanceof Error && 'code' in cause && cause.code === 'EADDRINUSE';
}
