import type { ErrorTable } from '../../src/index.ts';

export const snmpApiErrors = {
  HTTP_BODY_UNEXPECTED:
    'This operation takes no body, but a body was received. Use the query instead, such as ?force_rediscovery=true.',
  HTTP_DEFINITIONS_INVALID:
    'The definition files have errors ({count}). The current definitions stay in use.',
  HTTP_DEVICE_INVALID: 'The device has errors ({count}). Nothing was changed.',
  HTTP_DEVICE_EXISTS: 'The device {ip} port {port} exists already, as "{name}". Use PUT to replace it.',
  HTTP_DEVICE_OF_FILES:
    'The device "{name}" at {ip} port {port} is defined in {file}, line {line}, and definition files take precedence. Change it there, then apply the definitions.',
  HTTP_DEVICE_NAME_TAKEN: 'The device {ip} port {port} already has the name "{name}". Choose another name.',
  HTTP_DEVICE_ADDRESS_REFUSED: 'A client may not add a device at {ip}: {reason}.',
  HTTP_DISCOVERY_UNKNOWN: 'There is no discovery {id}. The collector keeps only the last few hundred.',
  HTTP_DISCOVERY_RUNNING:
    'The discovery {id} of "{device}" has not ended after {waitMs} ms. It still runs. Ask for its state later.',
} as const satisfies ErrorTable;
