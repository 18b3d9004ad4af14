import { dirname, sep } from 'node:path';
import { fileURLToPath } from 'node:url';
import { kernelFailure, type WaywiserError } from '../../src/kernel/index.ts';

/** Where the code of a plugin is, to find the plugin that a stack trace belongs to. */
export interface Suspect {
  readonly name: string;
  /** Absolute path of the plugin's entry file. */
  readonly origin: string;
}

/**
 * Detects what a plugin must not do to the process: call process.exit, leave a rejected promise, or throw an error that
 * nothing catches. `report` gets an error that names the plugin. The process goes on, so that the others can stop in order.
 */
export function guardProcess(
  suspects: readonly Suspect[],
  report: (error: WaywiserError) => void,
): () => void {
  const onRejection = (reason: unknown) =>
    report(kernelFailure('PLUGIN_LEFT_REJECTION', { plugin: blame(reason, suspects) }, reason));
  const onException = (error: unknown) =>
    report(kernelFailure('PLUGIN_THREW_LATER', { plugin: blame(error, suspects) }, error));
  const exit = process.exit;

  process.on('unhandledRejection', onRejection);
  process.on('uncaughtException', onException);
  process.exit = (code) => {
    const exitCode = code ?? 0;
    const plugin = blame(new Error('process.exit'), suspects);
    const error = kernelFailure('PLUGIN_CALLED_EXIT', { plugin, exitCode });
    report(error);
    throw error;
  };
  return () => {
    process.off('unhandledRejection', onRejection);
    process.off('uncaughtException', onException);
    process.exit = exit;
  };
}

/** The plugin whose file, otherwise whose folder, is nearest to the top of the stack trace. */
function blame(error: unknown, suspects: readonly Suspect[]): string {
  const stack = error instanceof Error ? (error.stack ?? '') : '';
  const lines = stack.replace(/file:\/\/[^\s:]+/g, (url) => fileURLToPath(url)).split('\n');
  const known = suspects.filter(({ origin }) => origin !== '');
  for (const placeOf of [fileOf, folderOf]) {
    for (const line of lines) {
      const suspect = known.find(({ origin }) => line.includes(placeOf(origin)));
      if (suspect !== undefined) return suspect.name;
    }
  }
  return 'unknown';
}

function fileOf(origin: string): string {
  return `${origin}:`;
}

function folderOf(origin: string): string {
  return dirname(origin) + sep;
}
