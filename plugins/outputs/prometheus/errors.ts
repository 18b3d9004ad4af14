import type { ErrorTable } from '../../../src/index.ts';

export const prometheusErrors = {
  PROMETHEUS_OPEN:
    'The metrics of "{output}" would be readable by everyone who can reach {host}:{port}. Set a token, listen on 127.0.0.1, or set insecure: true.',
  PROMETHEUS_NO_PORT:
    'The output "{output}" has {options} but no port. Without a port, http-api serves the metrics, with its own tokens and host names. Set a port, or remove these options.',
} as const satisfies ErrorTable;
