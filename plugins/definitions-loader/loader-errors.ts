import { defineErrors } from '../../src/index.ts';

/** @public read by the generator of docs/errors.md */
export const loaderErrors = {
  DEFINITIONS_INVALID:
    'The definitions have errors ({count}), and there is no last good snapshot to start from:\n{problems}\nFix them; `waywiser check` shows them without starting the collector.',
  DEFINITIONS_WORKER_FAILED:
    'The thread that reads definitions failed: {reason}. The running definitions stay in use. Apply again.',
  DEFINITIONS_STOPPED: 'The definitions cannot be applied: the collector is stopping.',
  DEFINITIONS_CLUSTER_UNREACHABLE:
    'The definitions could not be applied to the cluster: {reason}. Members that have not switched keep theirs. Check etcd, and apply again.',
  DEFINITIONS_CLUSTER_REFUSED:
    'The definitions were not applied, because the member "{member}" cannot use them: {reason}. All members keep theirs.',
  DEFINITIONS_CLUSTER_BUSY:
    'The definitions were not applied, because definitions are being applied on another member. Wait for that, and apply again.',
  DEFINITIONS_CLUSTER_INCOMPLETE:
    'etcd has lost a part of the definitions that the cluster uses. This member keeps those that it has. Apply the definitions again on any member.',
  DEFINITION_UNKNOWN: 'There is no {kind} "{id}".{suggestion}',
} as const;

export const loaderFailure = defineErrors(loaderErrors);
