import type { ErrorTable } from '../../src/index.ts';

export const historyErrors = {
  HISTORY_TOO_MANY_VALUES:
    'The answer would have more than {max} values. Ask for fewer devices, rows or fields, for a shorter time, or for a larger step.',
  HISTORY_RANGE_INVALID: '"from" ({from}) must be before "to" ({to}).',
  HISTORY_TIME_INVALID:
    '"{name}" is "{value}", which is no time. Give a date such as 2026-01-31T12:00:00Z, milliseconds since 1970, or a time before now such as -1h.',
} as const satisfies ErrorTable;
