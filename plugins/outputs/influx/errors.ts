import type { ErrorTable } from '../../../src/index.ts';

export const influxErrors = {
  INFLUX_TARGET:
    'The output "{output}" needs a target: database for InfluxDB 1, or bucket and org for InfluxDB 2. It has {given}.',
} as const satisfies ErrorTable;
