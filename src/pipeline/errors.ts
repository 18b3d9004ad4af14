import type { ErrorTable } from '../kernel/errors.ts';

export const pipelineErrors = {
  BATCH_MALFORMED:
    'The plugin "{plugin}" sent a malformed batch: {fault}. It was dropped, and further ones are counted in waywiser_batches_malformed_total. Report this to the author of the plugin.',
  OUTPUT_QUEUE_FAILED:
    'The plugin "{plugin}" failed to queue a batch. The batch is lost for this output; the other outputs have it. Report this to the author of the plugin.',
  OUTPUT_WITHOUT_WRITE:
    '`open` of the output "{output}" returned no function `write`. Return an object that has it.',
  PROCESSOR_WITHOUT_FUNCTION:
    '`open` of the processor "{processor}" returned no function. Return the function that every batch passes through.',
} as const satisfies ErrorTable;
