import type { ErrorTable } from '../../src/index.ts';

export const pollerErrors = {
  POLL_NOT_PLANNED:
    'There is nothing to be polled on "{device}": {reason}. Discover it, or look at its device groups.',
  POLL_CONTEXT_UNKNOWN:
    'The device "{device}" is not asked in an SNMPv3 context "{context}", but in {known}.',
  POLL_ATTRIBUTE_UNKNOWN: 'The object {object} has no attribute "{attribute}".{suggestion}',
  POLL_NO_ANSWER:
    'The device "{device}" is {state} and did not answer a probe. It is asked again by itself; its polls begin with its first reply.',
  POLL_CURSOR_INVALID: 'The cursor is none that a page gave. Begin with a request without one.',
  POLL_RUNNING: 'The poll is not over after {waitMs} ms. It goes on; its records come by themselves.',
  POLL_STOPPING: 'The collector is stopping and polls nothing out of turn.',
} as const satisfies ErrorTable;
