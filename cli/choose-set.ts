import { existsSync, statSync } from 'node:fs';
import { join, resolve } from 'node:path';
import { cwd, env } from 'node:process';
import type { DefinitionSources, OfflineSet, SourceOptions } from '../plugins/definitions-loader/commands.ts';
import { type CollectorSetup, loadSetup } from '../src/collector/index.ts';
import { cliFailure } from './cli-errors.ts';

/** The options that say which definitions a command works on. */
export interface SetOptions {
  /** Is read instead of a configuration; with `config`, takes the place of its directories. */
  readonly directory?: string | undefined;
  /** A configuration file; ./waywiser.yml by default, when it exists and no directory is named. */
  readonly config?: string | undefined;
  /** Adds the definitions that ship to those of `directory`. A configuration says so itself. */
  readonly shipped?: boolean | undefined;
  /** Takes the place of the secrets directory of the configuration. */
  readonly secrets?: string | undefined;
}

/** Where definitions are, and what names them in messages. */
export interface ChosenSources {
  readonly sources: DefinitionSources;
  readonly secrets: string | undefined;
  readonly label: string;
  /** Of the configuration, when there is one. */
  readonly stateDirectory: string | undefined;
}

const loader = 'definitions-loader';
const ownDirectory = 'definitions';

/** Reads and checks the definitions that the options choose, with the code of definitions-loader. */
export async function readChosen(options: SetOptions): Promise<OfflineSet & { readonly label: string }> {
  const { sources, secrets, label } = await chooseSet(options);
  const { readDefinitions } = await import('../plugins/definitions-loader/commands.ts');
  return { ...readDefinitions(sources, secrets), label };
}

/** The configuration that a command uses: the one that is named, or ./waywiser.yml when it exists. */
export function findConfig({
  config,
  directory,
}: Pick<SetOptions, 'config' | 'directory'>): string | undefined {
  return config ?? (directory === undefined && existsSync('waywiser.yml') ? 'waywiser.yml' : undefined);
}

/** Throws when a directory that is named does not exist. */
export async function chooseSet(options: SetOptions): Promise<ChosenSources> {
  const { directory } = options;
  const config = findConfig(options);
  const setup =
    config === undefined ? undefined : await loadSetup(config, { env, also: [loader], only: [loader] });
  const { chooseSources } = await import('../plugins/definitions-loader/commands.ts');
  const standard = { shipped: directory === undefined || options.shipped === true };
  const given = directory === undefined ? {} : { directories: [requireDirectory(directory)] };
  return {
    sources: chooseSources({ ...standard, ...optionsOf(setup), ...given }, setup?.keys.directory ?? cwd()),
    secrets: options.secrets === undefined ? setup?.keys.secrets_directory : resolve(options.secrets),
    label: directory ?? config ?? `./${ownDirectory}`,
    stateDirectory: setup?.keys.state_directory,
  };
}

function optionsOf(setup: CollectorSetup | undefined): SourceOptions | undefined {
  return setup?.plugins.find(({ name }) => name === loader)?.options as SourceOptions | undefined;
}

function requireDirectory(directory: string): string {
  if (statSync(directory, { throwIfNoEntry: false })?.isDirectory() === true) return resolve(directory);
  throw cliFailure('DEFINITIONS_DIRECTORY_MISSING', { directory });
}

/** Throws when a command that needs definitions of its own would find none. */
export function requireOwnSet(options: SetOptions): void {
  if (options.directory === undefined && findConfig(options) === undefined) {
    requireDirectory(join('.', ownDirectory));
  }
}
