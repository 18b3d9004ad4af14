import { fleetFacts, listOf } from '../../src/http/index.ts';
import { type ScanCounts, type ScanRef, type Static, Type } from '../../src/index.ts';
import type { ScanReport } from './scan-scheduler.ts';

const count = (description?: string) => Type.Integer(description === undefined ? {} : { description });

/** A scan as the API shows it. */
export const scanSchema = Type.Object(
  {
    id: Type.String(),
    cause: Type.String({ description: 'initial, scheduled, changed or requested' }),
    networks: listOf(Type.String()),
    addresses: count('to ask'),
    visited: count('asked or skipped so far'),
    known: count('devices of the definition files and of the API, which are skipped'),
    answered: count(),
    found: count('new devices, among those that answered'),
    refused: count('SNMPv3 agents that accepted none of the credentials'),
    silent: count('found by an earlier scan, and without an answer now'),
    removed: count('devices removed, among the silent ones'),
  },
  { title: 'NetworkScan' },
);

const endedScanSchema = Type.Composite(
  [
    scanSchema,
    Type.Object({
      beganAt: Type.String({ format: 'date-time' }),
      durationMs: Type.Number(),
      problem: Type.Optional(
        Type.Object({ code: Type.String(), message: Type.String() }, { description: 'why it ended early' }),
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

export const begunSchema = Type.Object(
  {
    joined: Type.Boolean({ description: 'whether a scan was already running' }),
    scan: scanSchema,
    unowned: Type.Optional(
      listOf(
        Type.String({
          description:
            'in a cluster: a network that is not scanned, because its owner is changing. Ask again',
        }),
      ),
    ),
    ...fleetFacts,
  },
  { description: 'The scan runs.' },
);

const networkSchema = Type.Object(
  {
    id: Type.String(),
    ranges: listOf(Type.String({ description: 'in CIDR notation' })),
    port: Type.Integer(),
    file: Type.String(),
    line: Type.Integer({ description: 'counted from 1' }),
  },
  { title: 'ScannedNetwork' },
);

export const scansSchema = Type.Object(
  {
    networks: listOf(networkSchema),
    running: Type.Optional(scanSchema),
    last: Type.Optional(endedScanSchema),
    nextAt: Type.Optional(Type.String({ format: 'date-time' })),
    ...fleetFacts,
  },
  { title: 'NetworkScans' },
);

export type BegunScan = Static<typeof begunSchema>;
export type ShownScan = Static<typeof scanSchema>;
export type EndedScan = Static<typeof endedScanSchema>;
export type ScansAnswer = Static<typeof scansSchema>;
