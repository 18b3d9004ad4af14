import { Cron } from 'croner';
import { defineErrors, explainError } from '../../src/index.ts';
import { networkErrors } from './errors.ts';

const failure = defineErrors(networkErrors);

/** When the next scan begins, after one that began at `lastMs`; undefined means never. */
export type ScanSchedule = (lastMs: number) => number | undefined;

const hourMs = 3_600_000;

/** A cron expression takes precedence over a number of hours; 0 hours means never. Throws for an invalid expression. */
export function createSchedule(everyHours: number, expression: string | undefined): ScanSchedule {
  if (expression === undefined)
    return (lastMs) => (everyHours > 0 ? lastMs + everyHours * hourMs : undefined);
  const cron = parseCron(expression);
  return (lastMs) => cron.nextRun(new Date(lastMs))?.getTime();
}

function parseCron(expression: string): Cron {
  try {
    return new Cron(expression, { paused: true });
  } catch (error) {
    throw failure('SCAN_SCHEDULE_INVALID', { schedule: expression, reason: explainError(error) });
  }
}
