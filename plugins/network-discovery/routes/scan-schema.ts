import { type ScanCounts, type ScanRef, type Static, Type } from '../../../src/index.ts';
import { listOf } from '../../../src/internal.ts';
import type { ScanReport } from '../scan-report.ts';

const count = (description?: string) => Type.Integer(description === undefined ? {} : { description });

/** A scan as the API shows it. */
export const scanSchema = Type.Object(
  {
    id: Type.String(),
    cause: Type.String({ description: 'initial, scheduled, changed or requested' }),
    networks: listOf(Type.String()),
    addresses: count('to look at'),
    visited: count('looked at so far'),
    known: count('devices of the files and of the API, which are not asked'),
    answered: count(),
    found: count('of those that answered: they were no devices before'),
    refused: count('SNMPv3 agents that took none of the credentials'),
    silent: count('found earlier, and without an answer now'),
    removed: count('of the silent: they are devices no more'),
  },
  { title: 'NetworkScan' },
);

export const endedScanSchema = Type.Composite(
  [
    scanSchema,
    Type.Object({
      beganAt: Type.String({ format: 'date-time' }),
      durationMs: Type.Number(),
      problem: Type.Optional(
        Type.Object(
          { code: Type.String(), message: Type.String() },
          { description: 'why it ended before its end' },
        ),
      ),
    }),
  ],
  { title: 'EndedNetworkScan' },
);

export function showScan(ref: ScanRef, counts: ScanCounts): Static<typeof scanSchema> {
  return { ...ref, ...counts };
}

export function showEndedScan(report: ScanReport): Static<typeof endedScanSchema> {
  const { scan, counts, beganMs, durationMs, problem } = report;
  return {
    ...showScan(scan, counts),
    beganAt: new Date(beganMs).toISOString(),
    durationMs,
    ...(problem === undefined ? {} : { problem: { code: problem.code, message: problem.message } }),
  };
}
