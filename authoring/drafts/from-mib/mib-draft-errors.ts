import { defineErrors, type ErrorTable } from '../../../src/kernel/index.ts';

/**
 * Modules that cannot be drafted.
 * @public read by the generator of docs/errors.md
 */
export const mibDraftErrors = {
  MIB_MODULE_UNKNOWN:
    'There is no module "{module}" in {paths}.{suggestion} Name the directory of its file with --mibs.',
  MIB_ROW_UNKNOWN:
    'The module {module} has no table, row, group or notification "{row}".{suggestion} `waywiser mib dump` lists all.',
  MIB_DRAFT_EMPTY: 'There is nothing in {module} that can be collected: {reason}. Nothing was written.',
} as const satisfies ErrorTable;

export const mibDraftFailure = defineErrors(mibDraftErrors);
