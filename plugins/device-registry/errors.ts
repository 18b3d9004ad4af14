import type { ErrorTable } from '../../src/index.ts';

export const registryErrors = {
  DEVICE_SECRET_PLAIN:
    'The device "{device}" has a secret in plain text. Devices of the API are stored on disk: use a reference to the environment or to the secrets directory instead.',
} as const satisfies ErrorTable;
