import type { ErrorTable } from '../kernel/errors.ts';

export const clientErrors = {
  API_UNREACHABLE:
    'The HTTP API at {url} cannot be reached: {reason}. Is the collector running, and is this its address?',
  API_TIMEOUT: 'The HTTP API at {url} did not answer within {timeoutMs} ms.',
  API_ANSWER_STRANGE:
    '{url} answered {status} with something that no collector says. Is this the address of its HTTP API?',
} as const satisfies ErrorTable;
