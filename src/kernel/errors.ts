import { recognizeInEveryCopy } from '../shared-class.ts';
import { explainSystemError } from './system-reason.ts';
import { hideUrlSecrets } from './url-text.ts';

/** Sentences by code. A `{word}` in a sentence is filled from the error's details. */
export type ErrorTable = Readonly<Record<string, string>>;

type DetailNames<Sentence extends string> = Sentence extends `${string}{${infer Name}}${infer Rest}`
  ? Name | DetailNames<Rest>
  : never;
export type ErrorDetails<Sentence extends string> = Readonly<Record<DetailNames<Sentence>, string | number>>;

/** An error that a person can cause or correct. Its code is public API; docs/errors.md has a line for each. */
export class WaywiserError extends Error {
  static {
    recognizeInEveryCopy(WaywiserError, 'WaywiserError');
  }

  override readonly name = 'WaywiserError';
  readonly code: string;

  constructor(code: string, message: string, cause?: unknown) {
    super(message, cause === undefined ? undefined : { cause });
    this.code = code;
  }
}

/** Makes one error of a table. */
export type Failure<Table extends ErrorTable> = <Code extends keyof Table & string>(
  code: Code,
  details: ErrorDetails<Table[Code]>,
  cause?: unknown,
) => WaywiserError;

/**
 * Makes the constructor of a table's errors: `failure('PLUGIN_UNKNOWN', { plugin, suggestion })`. The compiler asks for
 * exactly the details that the sentence names. Wrap once per layer: pass what was caught as `cause`.
 */
export function defineErrors<const Table extends ErrorTable>(table: Table): Failure<Table> {
  return function failure(code, details, cause) {
    const values: Readonly<Record<string, string | number>> = details;
    const message = table[code]!.replace(/\{(\w+)\}/g, (_, name: string) =>
      hideUrlSecrets(String(values[name])),
    );
    return new WaywiserError(code, message, cause);
  };
}

/** What an error says to people: its message, or a sentence for an error of the operating system. */
export function messageOf(error: Error): string {
  return explainSystemError(error) ?? error.message;
}

/** The message of what was thrown, and the messages of its causes that say more; never a stack, and no secret of a URL. */
export function explainError(error: unknown): string {
  if (!(error instanceof Error)) return hideUrlSecrets(String(error));
  const message = hideUrlSecrets(messageOf(error));
  const causes = listCauses(error)
    .map(explainError)
    .filter((cause) => !message.includes(cause))
    .join('; ');
  if (message === '') return causes || error.name;
  return causes === '' ? message : `${message} (${causes})`;
}

/** The errors of an aggregate and the cause of an error; nothing where the chain of causes leads back to itself. */
export function listCauses(error: Error): readonly unknown[] {
  const parts: readonly unknown[] = error instanceof AggregateError ? error.errors : [];
  const seen = new Set<unknown>();
  for (let at: unknown = error; at instanceof Error; at = at.cause) {
    if (seen.has(at)) return parts;
    seen.add(at);
  }
  return error.cause === undefined ? parts : [...parts, error.cause];
}

export const kernelErrors = {
  CONFIG_UNREADABLE:
    'The configuration file {file} cannot be read: {reason}. Create it, or name another file with --config.',
  CONFIG_INVALID: 'The configuration {file} has problems ({count}):\n{problems}',
  PLUGIN_UNKNOWN:
    'There is no plugin "{plugin}".{suggestion} `waywiser plugins` lists the built-in ones; an installed package or a relative path (./my-plugin.js) works too.',
  PLUGIN_PACKAGE_MISSING:
    'The plugin "{plugin}" is not built in, and no package of that name is installed. `waywiser plugins` lists the built-in ones. If it is a package, run: npm install {plugin}',
  PLUGIN_IMPORT_FAILED:
    'The plugin "{plugin}" could not be loaded from {file}. Fix the plugin, or remove it from the configuration.',
  PLUGIN_EXPORT_INVALID:
    'The file {file} of plugin "{plugin}" has no default export made by definePlugin, defineOutput, defineProcessor or defineSource. Export one.',
  PLUGIN_DEFINITION_INVALID:
    '{maker} was called with a wrong definition of the plugin{plugin}. {problems} docs/writing-a-plugin.md shows right ones.',
  PLUGIN_OF_OTHER_VERSION:
    'The plugin "{plugin}" is made with waywiser {made}, and this is waywiser {version}. Between these versions plugins may break. Install a version of the plugin that is made for waywiser {version}.',
  PLUGIN_KIND_UNKNOWN:
    'The plugin in {file} has the unknown kind "{kind}".{suggestion} Choose one of: {known}.',
  PLUGIN_NAME_TAKEN: 'Two plugins are named "{plugin}". Give one an instance name, as in "{plugin}/second".',
  SERVICE_PROVIDED_TWICE:
    'The service "{service}" is provided by both "{first}" and "{second}". Remove one of them from the configuration.',
  SERVICE_NOT_YOURS:
    'The plugin "{plugin}" provides the service "{service}", which the built-in plugin "{service}" provides. To use "{plugin}" in its place, write replace: {example} in the configuration. Otherwise remove "{plugin}".',
  REPLACEMENT_UNKNOWN:
    '"{service}" cannot be replaced by "{plugin}": {reason}. Correct or remove the line under replace.',
  SERVICES_MISSING:
    'These services are missing: {list}. Available services: {offered}. Add a plugin that provides what is missing.',
  PLUGINS_NEED_EACH_OTHER: 'These plugins need each other in a circle: {path}. Remove one of these needs.',
  NEED_STARTS_LATER:
    'The plugin "{plugin}" is of kind {kind} and needs "{service}" from "{provider}", which is of kind {providerKind} and starts later. Change one of the kinds, or reverse the need.',
  COLLECTOR_STOPPED:
    'This collector was stopped, and cannot start again. Make another one with `createCollector`.',
  PLUGIN_START_FAILED: 'The plugin "{plugin}" failed to start.',
  PLUGIN_START_TIMEOUT:
    'The plugin "{plugin}" did not start within {timeoutMs} ms. Check its log. If it only needs more time, raise its startTimeoutMs.',
  PLUGIN_START_ABANDONED:
    'The plugin "{plugin}" was still starting when the collector stopped, and did not end when its signal aborted. Its start must pass signal to everything that it waits for.',
  PLUGIN_PROVIDED_NOTHING:
    'The plugin "{plugin}" provides the service "{service}", but its start returned nothing. Return the service from start.',
  PLUGIN_STOP_FAILED: 'The plugin "{plugin}" failed while it was stopping. Its other undo steps have run.',
  PLUGIN_STOP_TIMEOUT:
    'The plugin "{plugin}" did not stop within {timeoutMs} ms. The collector stops without waiting for it.',
  PLUGIN_CALLED_EXIT:
    'The plugin "{plugin}" called process.exit({exitCode}). A plugin must not end the collector: throw from start instead.',
  PLUGIN_LEFT_REJECTION:
    'The plugin "{plugin}" did not handle a rejected promise. Await the promise, or catch its error.',
  PLUGIN_THREW_LATER:
    'The plugin "{plugin}" threw an error in a callback. Catch the error inside the callback.',
  PACKAGE_NOT_INSTALLED:
    'The package {package} is not installed. Install it where waywiser is installed: npm install {specification}',
  PLACEHOLDER_UNKNOWN:
    'The option "{option}" contains the unknown placeholder {placeholder}. Known placeholders: {known}.',
  SECRET_UNRESOLVED: 'The secret reference {reference} cannot be resolved: {reason}.',
} as const satisfies ErrorTable;

export const kernelFailure = defineErrors(kernelErrors);
