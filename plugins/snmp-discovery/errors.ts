import type { ErrorTable } from '../../src/index.ts';

export const discoveryErrors = {
  DISCOVERY_NO_CREDENTIAL:
    'The device "{device}" has no credential for its SNMP version. Add communities or v3_credentials.',
  DISCOVERY_NO_GROUP:
    'The device "{device}" has no device group, and autodiscover/sysoids has no entry for its sysObjectID {sysObjectId}. Add device_groups to the device, or add its sysObjectID to a file in autodiscover/sysoids.',
  DISCOVERY_NO_ADDRESS: 'The host name {host} of device "{device}" cannot be resolved: {reason}.',
  DISCOVERY_BROKE_OFF:
    'The device "{device}" stopped answering after {objects} of {total} objects. The previous inventory stays in use.',
  DISCOVERY_GIVEN_UP: 'The discovery of "{device}" was cancelled: {reason}.',
} as const satisfies ErrorTable;
