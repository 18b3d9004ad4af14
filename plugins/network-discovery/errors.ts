import type { ErrorTable } from '../../src/index.ts';

export const networkErrors = {
  SCAN_EXCLUDE_INVALID:
    'network-discovery cannot read "{network}" of `exclude`. Write it as 192.0.2.0/24, 192.0.2.1/32 or 2001:db8::/120.',
  SCAN_SCHEDULE_INVALID:
    'network-discovery cannot read its `schedule` "{schedule}": {reason}. Write a cron expression, such as "0 3 * * *".',
  SCAN_TOO_MANY_ADDRESSES:
    'The network {range} of "{network}" is not scanned: with its {count} addresses the scan would have more than {max}. Use smaller networks, or raise `max_addresses` of network-discovery.',
  SCAN_IPV6_TOO_LARGE:
    'The network {range} of "{network}" is not scanned: the prefix of an IPv6 network must be at least /{prefix}. Use smaller networks, or lower `ipv6_prefix` of network-discovery.',
  SCAN_CREDENTIALS_UNUSABLE: 'The network "{network}" is not scanned: {reason}',
  SCAN_SUPERSEDED: 'The scan ended early because its networks changed. Another scan began.',
  SCAN_MOVED:
    'The scan ended early because this collector no longer owns its networks. The member of the cluster that owns them scans them.',
  SCAN_NOT_OWNED:
    'Nothing was scanned: the member that owns {networks} is changing, or is not the one that was asked. Ask any member again in a few seconds, without `scope`.',
  SCAN_MEMBER_SILENT:
    'The member "{member}" of the cluster, which scans {networks}, did not answer: {reason}. When it is down, another member owns its networks after the lease.',
  SCAN_STOPPED: 'The scan ended early because the collector is stopping.',
  SCAN_FAILED: 'The scan ended early: {reason}.',
  SCAN_NO_NETWORKS:
    'There is no network to scan. Add one to autodiscover/networks.yml and apply the definitions.',
  SCAN_NETWORK_UNKNOWN: 'autodiscover/networks.yml has no network "{network}".{suggestion}',
} as const satisfies ErrorTable;
