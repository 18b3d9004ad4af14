import type { ErrorTable } from '../../src/index.ts';

export const pollerErrors = {
  POLL_NOT_PLANNED:
    'There is nothing to be polled on "{device}": {reason}. Discover it, or look at its device groups.',
} as const satisfies ErrorTable;
