import { defineErrors, type ErrorTable } from '../../kernel/errors.ts';

/**
 * What only another command line can mend. Each ends the command with the exit code of wrong usage.
 * @public read by the generator of docs/errors.md
 */
export const usageErrors = {
  NUMBER_OPTION_INVALID: '{option} takes a whole number {range}; received "{received}".',
  FILE_KIND_UNKNOWN: 'There is no kind of definition file "{kind}".{suggestion} Choose one of: {known}.',
  SHOWN_KIND_UNKNOWN: 'Nothing that can be shown is called "{kind}".{suggestion} Choose one of: {known}.',
  EXPLAIN_WORDS_WRONG:
    'Write waywiser ctl explain DEVICE OBJECT[.INSTANCE] ATTRIBUTE, or an address and a port as DEVICE.',
  DEVICE_GROUP_UNKNOWN: 'There is no device group "{group}".{suggestion} Name one, or leave --group out.',
} as const satisfies ErrorTable;

export const usageFailure = defineErrors(usageErrors);

export function isUsageCode(code: string): boolean {
  return Object.hasOwn(usageErrors, code);
}
