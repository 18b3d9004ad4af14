import { defineErrors, type ErrorTable } from '../../src/kernel/index.ts';

/**
 * Configurations of other collectors that cannot be imported at all.
 * @public read by the generator of docs/errors.md
 */
export const importErrors = {
  IMPORT_UNREADABLE: '{file} cannot be read: {reason}. Name a configuration file, or a directory of them.',
  IMPORT_TOO_LARGE:
    '{file} has {bytes} bytes; at most {max} are read. Split it, and import the parts one after another.',
  IMPORT_SYNTAX: '{file}:{line}:{column}: {reason} Nothing was written.',
  IMPORT_EMPTY:
    'There is nothing in {path} that `import {format}` can read. Expected: {expected}. Nothing was written.',
} as const satisfies ErrorTable;

export const importFailure = defineErrors(importErrors);
