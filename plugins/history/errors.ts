import type { ErrorTable } from '../../src/index.ts';

export const historyErrors = {
  HISTORY_TOO_MANY_VALUES:
    'The answer would have more than {max} values, or more than {series} series. Ask for fewer devices, rows or fields, for a shorter time, or for a larger step.',
  HISTORY_RANGE_INVALID: '"from" ({from}) must be before "to" ({to}).',
  HISTORY_TIME_INVALID:
    '"{name}" is "{value}", which is no time. Give a date such as 2026-01-31T12:00:00Z, milliseconds since 1970, or a time before now such as -1h.',
  HISTORY_SERVER_FAILED: 'The server that keeps the history gave no usable answer: {reason}.',
  HISTORY_URL_MISSING:
    '{plugin}: "from" is prometheus, so "url" must be set, such as http://127.0.0.1:8428. Questions go to api/v1/query and api/v1/query_range below it.',
} as const satisfies ErrorTable;
