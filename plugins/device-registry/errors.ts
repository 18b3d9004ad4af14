import type { ErrorTable } from '../../src/index.ts';

export const registryErrors = {
  DEVICE_SECRET_PLAIN:
    'The device "{device}" has a secret in plain text. Devices of the API are kept on disk: give a reference to the environment or to the secrets directory.',
} as const satisfies ErrorTable;
