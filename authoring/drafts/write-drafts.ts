import { existsSync, lstatSync, renameSync, rmSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { pid } from 'node:process';
import { makeFolder } from '../../src/kernel/make-folder.ts';
import { systemReasonOf } from '../../src/kernel/system-reason.ts';
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
  let link: string | undefined;
  try {
    link = files.map(({ path }) => findLink(directory, path)).find((path) => path !== undefined);
    for (const file of link === undefined ? files : []) writeOne(join(directory, file.path), file, force);
  } catch (error) {
    throw draftFailure('DRAFT_UNWRITABLE', { directory, reason: systemReasonOf(error) }, error);
  }
  if (link !== undefined) throw draftFailure('DRAFT_BEHIND_LINK', { directory, link });
  return files.map(({ path }) => path);
}

const maxShown = 5;

/** The folder on the way to a file that is a link: what is behind it is not part of the directory. A file that is a link is replaced. */
function findLink(directory: string, path: string): string | undefined {
  const parts = path.split('/');
  for (let count = 1; count < parts.length; count++) {
    const folder = parts.slice(0, count).join('/');
    if (lstatSync(join(directory, folder), { throwIfNoEntry: false })?.isSymbolicLink()) return folder;
  }
  return undefined;
}

/** A replaced file is never half written, and a secret never readable by others, not even for a moment. */
function writeOne(file: string, { text, isSecret = false }: DraftFile, force: boolean): void {
  const mode = isSecret ? 0o600 : 0o666;
  makeFolder(dirname(file), isSecret ? 0o700 : 0o777);
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
