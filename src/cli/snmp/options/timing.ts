import { snmpCommandFailure } from '../failure.ts';
import type { RequestOptions } from './request-options.ts';

export interface Timing {
  readonly timeoutMs: number;
  readonly retries: number;
}

/** net-snmp's defaults: one second, five retries. */
export function parseTiming({ t = '1', r = '5' }: RequestOptions): Timing {
  const seconds = /^\d*\.?\d+$/.test(t) ? Number(t) : 0;
  if (seconds < 0.001 || seconds > maxSeconds) {
    throw snmpCommandFailure('OPTION_INVALID', { option: '-t', expected: `0.001 to ${maxSeconds} seconds` });
  }
  const retries = /^\d+$/.test(r) ? Number(r) : Number.POSITIVE_INFINITY;
  if (retries > maxRetries) {
    throw snmpCommandFailure('OPTION_INVALID', { option: '-r', expected: `0 to ${maxRetries} retries` });
  }
  return { timeoutMs: seconds * 1000, retries };
}

/** Longer waits would be a mistake in the unit. */
const maxSeconds = 3600;
const maxRetries = 100;
