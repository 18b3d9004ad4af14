import { definePlugin } from '../kernel/plugin.ts';
import { createPipeline, pipelineToken } from './pipeline.ts';

/** The pipeline as a service that sources, processors and outputs need. */
export const pipelinePlugin = definePlugin({
  name: 'pipeline',
  kind: 'service',
  summary: 'Passes batches from sources through processors to one bounded queue per output.',
  provides: pipelineToken,
  start: ({ log }) =>
    createPipeline((processor, error) => {
      log.error({ processor, error }, 'A processor failed. Its batch is dropped and counted.');
    }),
});
