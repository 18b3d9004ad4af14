import {
  chmodSync,
  chownSync,
  existsSync,
  realpathSync,
  renameSync,
  rmSync,
  statSync,
  writeFileSync,
} from 'node:fs';
import { dirname, join, relative } from 'node:path';
import { cwd, getuid } from 'node:process';
import { makeFolder } from '../../src/kernel/make-folder.ts';
import { systemReasonOf } from '../../src/kernel/system-reason.ts';
import { cliFailure } from '../cli-errors.ts';

/** A file of a configuration, with its path below a directory. */
export interface ConfigurationFile {
  readonly path: string;
  readonly text: string;
  /** Readable by its owner only. */
  readonly isSecret?: boolean;
}

/** Relative to the working directory if the path is below it, otherwise absolute. */
export function shortPath(path: string): string {
  const below = relative(cwd(), path);
  return below.startsWith('..') ? path : below;
}

/** Throws INIT_WOULD_OVERWRITE when one of the files exists. */
export function refuseToOverwrite(directory: string, files: readonly ConfigurationFile[]): void {
  const existing = files.map(({ path }) => path).filter((path) => existsSync(join(directory, path)));
  if (existing.length > 0)
    throw cliFailure('INIT_WOULD_OVERWRITE', { files: existing.join(', '), directory });
}

/** Never replaces a file, not even one that was created a moment ago. */
export function writeConfiguration(directory: string, files: readonly ConfigurationFile[]): void {
  try {
    for (const { path, text, isSecret = false } of files) {
      const file = join(directory, path);
      makeFolder(dirname(file), folderModeOf(isSecret));
      writeFileSync(file, text, { flag: 'wx', mode: modeOf(isSecret) });
    }
  } catch (error) {
    throw cliFailure('INIT_UNWRITABLE', { directory, reason: systemReasonOf(error) });
  }
}

/**
 * Writes files, new ones and such that exist, with absolute paths. All of them are complete on the disk before the first one takes the
 * place of the file that was there; that one keeps its mode and its owner. A link stays a link.
 */
export function replaceFiles(files: readonly ConfigurationFile[]): void {
  const staged: StagedFile[] = [];
  try {
    for (const file of files) staged.push(stage(file));
    for (const { unfinished, path } of staged) renameSync(unfinished, path);
  } catch (error) {
    for (const { unfinished } of staged) rmSync(unfinished, { force: true });
    const { path } = files[Math.min(staged.length, files.length - 1)]!;
    throw cliFailure('FILE_UNUSABLE', { path: shortPath(path), reason: systemReasonOf(error) });
  }
}

interface StagedFile {
  readonly unfinished: string;
  readonly path: string;
}

function stage({ path: named, text, isSecret = false }: ConfigurationFile): StagedFile {
  makeFolder(dirname(named), folderModeOf(isSecret));
  const isNew = !existsSync(named);
  const path = isNew ? named : realpathSync(named);
  const unfinished = `${path}.new`;
  const { mode, uid, gid } = statSync(isNew ? dirname(path) : path);
  rmSync(unfinished, { force: true });
  try {
    writeFileSync(unfinished, text, { flag: 'wx', mode: modeOf(isSecret || !isNew), flush: true });
    if (!isNew) chmodSync(unfinished, mode & 0o7777);
    // Otherwise the user that runs the collector could not read what root writes.
    if (getuid?.() === 0) chownSync(unfinished, uid, gid);
  } catch (error) {
    rmSync(unfinished, { force: true });
    throw error;
  }
  return { unfinished, path };
}

function folderModeOf(isSecret: boolean): number {
  return isSecret ? 0o700 : 0o777;
}

function modeOf(isSecret: boolean): number {
  return isSecret ? 0o600 : 0o666;
}
