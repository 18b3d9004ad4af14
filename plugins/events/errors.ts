import type { ErrorTable } from '../../src/index.ts';

export const eventsErrors = {
  EVENTS_OUTPUT_UNKNOWN:
    'Events are to go to "{output}", which is no output of this configuration. Outputs are: {known}.',
} as const satisfies ErrorTable;
