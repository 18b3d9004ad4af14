import { defineErrors } from '../../src/index.ts';

/** @public read by the generator of docs/errors.md */
export const loaderErrors = {
  DEFINITIONS_INVALID:
    'The definitions have errors ({count}), and there is no last good snapshot to start from:\n{problems}\nFix them; `waywiser check` shows them without starting the collector.',
  DEFINITIONS_WORKER_FAILED:
    'The thread that reads definitions failed: {reason}. The running definitions stay in use. Apply again.',
  DEFINITIONS_STOPPED: 'The definitions cannot be applied: the collector is stopping.',
  DEFINITION_UNKNOWN: 'There is no {kind} "{id}".{suggestion}',
} as const;

export const loaderFailure = defineErrors(loaderErrors);
