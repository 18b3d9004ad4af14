import { existsSync, mkdirSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { cliFailure } from '../cli-errors.ts';
import { fileReasonOf } from '../terminal/failure.ts';

/** A file of the configuration by its path in the directory. */
export interface ConfigurationFile {
  readonly path: string;
  readonly text: string;
  /** For its owner alone. */
  readonly isSecret?: boolean;
}

/** Throws when one of them is there already. */
export function refuseToOverwrite(directory: string, paths: readonly string[]): void {
  const existing = paths.filter((path) => existsSync(join(directory, path)));
  if (existing.length > 0)
    throw cliFailure('INIT_WOULD_OVERWRITE', { files: existing.join(', '), directory });
}

/** Never replaces a file, not even one that has come into being a moment ago. */
export function writeConfiguration(directory: string, files: readonly ConfigurationFile[]): void {
  try {
    for (const { path, text, isSecret = false } of files) {
      const file = join(directory, path);
      mkdirSync(dirname(file), { recursive: true, mode: isSecret ? 0o700 : 0o777 });
      writeFileSync(file, text, { flag: 'wx', mode: isSecret ? 0o600 : 0o666 });
    }
  } catch (error) {
    throw cliFailure('INIT_UNWRITABLE', { directory, reason: fileReasonOf(error) });
  }
}
