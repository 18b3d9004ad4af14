import type { ErrorTable } from '../../src/index.ts';

export const eventsErrors = {
  EVENTS_OUTPUT_UNKNOWN:
    'The option outputs of events names "{output}", which is not an output of this configuration. Outputs are: {known}.',
} as const satisfies ErrorTable;
