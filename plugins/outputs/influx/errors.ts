import type { ErrorTable } from '../../../src/index.ts';

export const influxErrors = {
  INFLUX_TARGET:
    'The output "{output}" must name where its points go: database for InfluxDB 1, or bucket and org for InfluxDB 2. It has {given}.',
} as const satisfies ErrorTable;
