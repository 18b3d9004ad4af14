import { defineErrors, type ErrorTable } from '../../src/kernel/index.ts';

/**
 * Definition files that could not be written.
 * @public read by the generator of docs/errors.md
 */
export const draftErrors = {
  DRAFT_WOULD_OVERWRITE:
    '{directory} already contains: {files}. Nothing was written. Name another directory with --out, or replace these files with --force.',
  DRAFT_UNWRITABLE:
    'The definitions cannot be written to {directory}: {reason}. Name another directory with --out.',
  DRAFT_BEHIND_LINK:
    '{link} in {directory} is a symbolic link. Nothing was written: files behind a link are not part of the directory. Remove the link, or name another directory with --out.',
  DRAFT_NOTHING_UNCOLLECTED:
    'There is nothing to draft: the definitions collect everything useful that {source} has. Nothing was written.',
} as const satisfies ErrorTable;

export const draftFailure = defineErrors(draftErrors);
