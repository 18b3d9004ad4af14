import type { ErrorTable } from '../kernel/errors.ts';

export const httpRequestErrors = {
  HTTP_INPUT_INVALID: 'The request is invalid: {reason}.',
  HTTP_STOPPING: 'The collector is stopping and accepts no new work.',
} as const satisfies ErrorTable;

export const httpDeviceErrors = {
  HTTP_ADDRESS_IMPOSSIBLE:
    'The field "ip" must be an IPv4 address, an IPv6 address or the host name of a device; received {received}.',
  HTTP_PORT_IMPOSSIBLE: 'The field "port" must be a whole number from 1 to 65535; received {received}.',
  HTTP_DEVICE_UNKNOWN: 'There is no device {ip} port {port}.{nearest}',
  HTTP_DEVICE_NAME_UNKNOWN:
    'There is no device {device}.{suggestion} GET /api/v1/snmp/devices, or `waywiser ctl devices`, lists all devices.',
  HTTP_DEVICE_AMBIGUOUS:
    '{device} is the name or address of several devices: {ids}. Use one of these instead.',
} as const satisfies ErrorTable;
