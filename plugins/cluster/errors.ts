import type { ErrorTable } from '../../src/index.ts';

export const clusterErrors = {
  CLUSTER_ETCD_UNREACHABLE:
    'etcd cannot be reached at {endpoints}: {reason}. Check `etcd.endpoints` and `etcd.tls` of cluster.',
  CLUSTER_ETCD_REFUSED:
    'etcd refuses the requests of cluster: {reason}. Check `etcd.username` and `etcd.password`, and that the user may read and write below {prefix}.',
  CLUSTER_ETCD_FULL:
    'etcd accepts no more data: {reason}. Members that have a lease continue to poll, others cannot begin. Compact and defragment etcd, or raise its `--quota-backend-bytes`; then end the alarm with `etcdctl alarm disarm`.',
  CLUSTER_ETCD_FAILED:
    'etcd answers the requests of cluster with an error: {reason}. Look into the log of etcd and at `etcdctl endpoint status`.',
  CLUSTER_CHANGED:
    'The data of etcd is not the data that this member used before: it has the identity {received}, and {expected} was known. If the data was lost, the members use the new data on their own when more than half of those that were known are here. If not, check `etcd.endpoints` and `etcd.prefix`. If you restored a backup, or no member was running when the data was lost, set `accept_new_cluster: true` on all members, restart them, and remove the option again.',
  CLUSTER_NAME_TAKEN:
    'Another process is the member "{name}" of the cluster. Give each member a `name` of its own, or wait until the lease of the process that ended is over.',
  CLUSTER_NAME_INVALID:
    'The host name "{name}" cannot be the name of a member. Set `name` of cluster to letters, digits, dots, dashes and underscores.',
  CLUSTER_MEMBER_UNREACHABLE: 'The member "{member}" of the cluster cannot be reached: {reason}.',
} as const satisfies ErrorTable;
