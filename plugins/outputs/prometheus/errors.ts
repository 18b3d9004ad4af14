import type { ErrorTable } from '../../../src/index.ts';

export const prometheusErrors = {
  PROMETHEUS_OPEN:
    'The metrics of "{output}" would be open to everyone who reaches {host}:{port}. Give a token, listen on 127.0.0.1, or set insecure: true.',
} as const satisfies ErrorTable;
