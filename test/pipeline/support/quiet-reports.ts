import type { PipelineReports } from '../../../src/pipeline/create-pipeline.ts';

/** For a pipeline whose plugins are expected to do nothing wrong. */
export const quiet: PipelineReports = {
  onProcessorFailure() {},
  onMalformed() {},
  onOutputFailure() {},
};
