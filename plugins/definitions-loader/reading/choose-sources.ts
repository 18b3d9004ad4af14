import { realpathSync } from 'node:fs';
import { join } from 'node:path';
import { shippedDefinitions } from '../../../src/own-package.ts';
import type { DefinitionSources } from './definition-roots.ts';

/** The options that say where definitions are. Paths are absolute. */
export interface SourceOptions {
  readonly shipped: boolean;
  readonly directories?: readonly string[] | undefined;
  readonly paths?: DefinitionSources['paths'];
}

/** What the options of the plugin mean for a configuration in `directory`. */
export function chooseSources(options: SourceOptions, directory: string): DefinitionSources {
  const { directories = [join(directory, 'definitions')], paths } = options;
  const shipped = shippedDefinitions();
  // A list that names the shipped directory has chosen its place already.
  const isNamed = directories.some((each) => isSameDirectory(each, shipped));
  return {
    shipped: options.shipped && !isNamed ? shipped : undefined,
    directories,
    mayBeMissing: options.directories === undefined,
    paths,
  };
}

function isSameDirectory(left: string, right: string): boolean {
  try {
    return realpathSync(left) === realpathSync(right);
  } catch {
    return false;
  }
}
