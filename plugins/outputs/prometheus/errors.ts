import type { ErrorTable } from '../../../src/index.ts';

export const prometheusErrors = {
  PROMETHEUS_OPEN:
    'The metrics of "{output}" would be open to everyone who reaches {host}:{port}. Give a token, listen on 127.0.0.1, or set insecure: true.',
  PROMETHEUS_NO_PORT:
    'The output "{output}" has {options}, which are for a server of its own, and no port: http-api serves it, with its own tokens and names. Give it a port, or leave them out.',
} as const satisfies ErrorTable;
