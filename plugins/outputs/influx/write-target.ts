import { defineErrors } from '../../../src/index.ts';
import { extendUrl } from '../../../src/output-kit/index.ts';
import { influxErrors } from './errors.ts';

const failure = defineErrors(influxErrors);

export type Precision = 'ns' | 'us' | 'ms' | 's';

export interface TargetOptions {
  readonly url: string;
  readonly database?: string;
  readonly retention_policy?: string;
  readonly org?: string;
  readonly bucket?: string;
  readonly precision: Precision;
}

/** InfluxDB 1 has other names for two of them. */
const precisionsOf1 = { ns: 'n', us: 'u', ms: 'ms', s: 's' } as const;

/** The URL for writes: `/write` of version 1, `/api/v2/write` of version 2. Throws for options of neither version, or of both. */
export function writeTarget(output: string, options: TargetOptions): { url: string; version: 1 | 2 } {
  const { database, retention_policy, org, bucket, precision } = options;
  const ofVersion1 = listGiven({ database, retention_policy });
  const ofVersion2 = listGiven({ bucket, org });
  const isVersion1 = database !== undefined && ofVersion2.length === 0;
  const isVersion2 = bucket !== undefined && ofVersion1.length === 0;
  if (!isVersion1 && !isVersion2) {
    const given = [...ofVersion1, ...ofVersion2].join(' and ') || 'neither';
    throw failure('INFLUX_TARGET', { output, given });
  }
  const parameters = isVersion1
    ? { db: database, rp: retention_policy, precision: precisionsOf1[precision] }
    : { org, bucket, precision };
  const url = extendUrl(options.url, isVersion1 ? '/write' : '/api/v2/write', parameters);
  return { url, version: isVersion1 ? 1 : 2 };
}

function listGiven(options: Readonly<Record<string, string | undefined>>): string[] {
  return Object.entries(options).flatMap(([name, value]) => (value === undefined ? [] : [name]));
}
