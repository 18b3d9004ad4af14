import type { ErrorTable } from '../kernel/errors.ts';

export const clientErrors = {
  API_UNREACHABLE:
    'The HTTP API at {url} cannot be reached: {reason}. Check that the collector runs and that this is its address.',
  API_TIMEOUT: 'The HTTP API at {url} did not answer within {timeoutMs} ms.',
  API_ANSWER_STRANGE:
    '{url} answered {status} with content that is not from a collector. Check that this is the address of its HTTP API.',
} as const satisfies ErrorTable;
