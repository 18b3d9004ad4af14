import { defineErrors, explainError } from '../kernel/errors.ts';
import { definePlugin } from '../kernel/plugin.ts';
import { createPipeline, type SharedPipeline } from './create-pipeline.ts';
import { pipelineErrors } from './errors.ts';
import { pipelineToken } from './pipeline.ts';

const failure = defineErrors(pipelineErrors);

/** The pipeline as a service that sources, processors and outputs need. */
export const pipelinePlugin = definePlugin({
  name: 'pipeline',
  kind: 'service',
  summary: 'Passes batches from sources through processors to one bounded queue per output.',
  provides: pipelineToken,
  start({ log }) {
    const reported = new Set<string>();
    /** Once for each plugin: the counters say how often. */
    const reportOnce = (plugin: string, error: Error & { readonly code: string }) => {
      const isNew = !reported.has(`${plugin} ${error.code}`);
      reported.add(`${plugin} ${error.code}`);
      if (isNew) log.error({ source: plugin, error }, error.message);
    };
    return createPipeline({
      onProcessorFailure: (processor, error) =>
        log.error({ processor, error }, 'A processor failed. Its batch is dropped and counted.'),
      onMalformed: (plugin, error) =>
        reportOnce(plugin, failure('BATCH_MALFORMED', { plugin, fault: explainError(error) })),
      onOutputFailure: (plugin, error) =>
        reportOnce(plugin, failure('OUTPUT_QUEUE_FAILED', { plugin }, error)),
    });
  },
  viewFor: (pipeline, user) => (pipeline as SharedPipeline).viewFor(user),
});
