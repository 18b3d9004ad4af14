import { existsSync, mkdirSync, renameSync, rmSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { pid } from 'node:process';
import { systemReasonOf } from '../kernel/system-reason.ts';
import { draftFailure } from './draft-errors.ts';
import { type DraftFile, draftFiles } from './draft-files.ts';
import type { DraftSet } from './draft-set.ts';

export interface WriteOptions {
  /** At the top of each file: who wrote it, from what. */
  readonly intro: readonly string[];
  /** Replaces files that exist. Without it nothing is written when one exists. */
  readonly force?: boolean | undefined;
}

/** Writes a draft as definition files and returns their paths below `directory`. Secrets become files that only their owner reads. */
export function writeDrafts(
  set: DraftSet,
  directory: string,
  { intro, force = false }: WriteOptions,
): string[] {
  const files = draftFiles(set, intro);
  const existing = files.map(({ path }) => path).filter((path) => existsSync(join(directory, path)));
  if (existing.length > 0 && !force) {
    const more = existing.length > maxShown ? ` and ${existing.length - maxShown} more` : '';
    throw draftFailure('DRAFT_WOULD_OVERWRITE', {
      directory,
      files: `${existing.slice(0, maxShown).join(', ')}${more}`,
    });
  }
  try {
    for (const file of files) writeOne(join(directory, file.path), file, force);
  } catch (error) {
    throw draftFailure('DRAFT_UNWRITABLE', { directory, reason: systemReasonOf(error) }, error);
  }
  return files.map(({ path }) => path);
}

const maxShown = 5;

/** A replaced file is never half written, and a secret never readable by others, not even for a moment. */
function writeOne(file: string, { text, isSecret = false }: DraftFile, force: boolean): void {
  const mode = isSecret ? 0o600 : 0o666;
  mkdirSync(dirname(file), { recursive: true, mode: isSecret ? 0o700 : 0o777 });
  if (!force) {
    writeFileSync(file, text, { flag: 'wx', mode });
    return;
  }
  const draft = `${file}.${pid}.new`;
  try {
    writeFileSync(draft, text, { flag: 'wx', mode });
    renameSync(draft, file);
  } finally {
    rmSync(draft, { force: true });
  }
}
