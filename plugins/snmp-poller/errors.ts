import type { ErrorTable } from '../../src/index.ts';

export const pollerErrors = {
  POLL_NOT_PLANNED:
    'There is nothing to be polled on "{device}": {reason}. Discover it, or look at its device groups.',
  POLL_ATTRIBUTE_UNKNOWN: 'The object {object} has no attribute "{attribute}".{suggestion}',
  POLL_NO_ANSWER:
    'The device "{device}" is {state} and did not answer a probe. It is asked again by itself; its polls begin with its first reply.',
} as const satisfies ErrorTable;
