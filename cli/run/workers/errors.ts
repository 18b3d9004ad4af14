import { defineErrors, type ErrorTable } from '../../../src/kernel/index.ts';

/** @public read by the generator of docs/errors.md */
export const workerErrors = {
  WORKERS_IN_CLUSTER:
    'The configuration has both `workers` and the plugin cluster. Workers share the devices of one machine, and the members of a cluster those of several. Remove one of them; to use all cores of a machine of a cluster, start several members there.',
} as const satisfies ErrorTable;

export const workerFailure = defineErrors(workerErrors);
