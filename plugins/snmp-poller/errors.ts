import type { ErrorTable } from '../../src/index.ts';

export const pollerErrors = {
  POLL_NOT_PLANNED:
    'There is nothing to poll on "{device}": {reason}. Discover the device, or check its device groups.',
  POLL_CONTEXT_UNKNOWN: 'The device "{device}" has no SNMPv3 context "{context}". Its contexts are {known}.',
  POLL_ATTRIBUTE_UNKNOWN: 'The object {object} has no attribute "{attribute}".{suggestion}',
  POLL_NO_ANSWER:
    'The device "{device}" is {state} and did not answer a probe. Waywiser keeps probing it, and polls it again after its first reply.',
  POLL_CURSOR_INVALID:
    'The cursor does not come from an earlier page. Start with a request without a cursor.',
  POLL_RUNNING: 'The poll did not end within {waitMs} ms. It continues, and its records are sent as usual.',
  POLL_STOPPING: 'The collector is stopping. It accepts no more requests for a poll.',
} as const satisfies ErrorTable;
