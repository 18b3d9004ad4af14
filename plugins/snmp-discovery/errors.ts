import type { ErrorTable } from '../../src/index.ts';

export const discoveryErrors = {
  DISCOVERY_NO_CREDENTIAL:
    'The device "{device}" has no credential for its SNMP version. Add communities or v3_credentials.',
  DISCOVERY_NO_GROUP:
    'The device "{device}" has no device group, and its sysObjectID {sysObjectId} is none that autodiscover/sysoids knows. Add device_groups to the device, or its sysObjectID to a file there.',
  DISCOVERY_NO_ADDRESS:
    'The host name {host} of device "{device}" could not be resolved: {reason}. Check the name.',
  DISCOVERY_BROKE_OFF:
    'The device "{device}" stopped answering after {objects} of {total} objects. What was known before stays.',
  DISCOVERY_GIVEN_UP: 'The discovery of "{device}" was given up: {reason}.',
} as const satisfies ErrorTable;
