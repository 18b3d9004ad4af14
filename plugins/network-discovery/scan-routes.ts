import {
  access,
  HttpProblem,
  type ScanCounts,
  type ScanRef,
  type Static,
  Type,
  WaywiserError,
} from '../../src/index.ts';
import { fleetFacts, fleetQuery, fleetRead, listOf } from '../../src/internal.ts';
import type { RoutePlugin } from '../http-routes/service.ts';
import type { ScanReport, ScanScheduler } from './scan-scheduler.ts';

const count = (description?: string) => Type.Integer(description === undefined ? {} : { description });

/** A scan as the API shows it. */
const scanSchema = Type.Object(
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

function showScan(ref: ScanRef, counts: ScanCounts): Static<typeof scanSchema> {
  return { ...ref, ...counts };
}

function showEndedScan(report: ScanReport): Static<typeof endedScanSchema> {
  const { scan, counts, beganMs, durationMs, problem } = report;
  return {
    ...showScan(scan, counts),
    beganAt: new Date(beganMs).toISOString(),
    durationMs,
    ...(problem === undefined ? {} : { problem: { code: problem.code, message: problem.message } }),
  };
}

const beginSchema = {
  operationId: 'scanNetworks',
  tags: ['devices'],
  summary: 'Scan the networks of autodiscover/networks.yml for devices',
  description:
    'Only one scan runs at a time. While one runs, the request joins it. `GET /api/v1/snmp/network-scans` returns its progress.',
  querystring: Type.Object(
    {
      network: Type.Optional(
        Type.String({ maxLength: 1024, description: 'the id of a network; all networks by default' }),
      ),
    },
    { additionalProperties: false },
  ),
  response: {
    202: Type.Object(
      { joined: Type.Boolean({ description: 'whether a scan was already running' }), scan: scanSchema },
      { description: 'The scan runs.' },
    ),
  },
};

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

const answerSchema = Type.Object(
  {
    networks: listOf(networkSchema),
    running: Type.Optional(scanSchema),
    last: Type.Optional(endedScanSchema),
    nextAt: Type.Optional(Type.String({ format: 'date-time' })),
    ...fleetFacts,
  },
  { title: 'NetworkScans' },
);

type Answer = Static<typeof answerSchema>;

const listSchema = {
  operationId: 'getNetworkScans',
  tags: ['devices'],
  summary: 'The networks, the current scan, the last one, and when the next one begins',
  querystring: Type.Object(fleetQuery, { additionalProperties: false }),
  response: { 200: answerSchema },
};

const statuses: Readonly<Record<string, number>> = {
  SCAN_NO_NETWORKS: 409,
  SCAN_STOPPED: 409,
  SCAN_NETWORK_UNKNOWN: 404,
};

/** The routes that begin a scan and show its progress. */
export function scanRoutes(scheduler: ScanScheduler): RoutePlugin {
  return async (app) => {
    app.post(
      '/api/v1/snmp/scan-networks',
      { config: access('operate'), schema: beginSchema },
      async ({ query }, reply) => {
        const { scan, joined } = request(query.network);
        return reply.code(202).send({ joined, scan: showScan(scan.ref, scan.counts) });
      },
    );

    app.get('/api/v1/snmp/network-scans', { config: fleetRead(mergeScans), schema: listSchema }, async () => {
      const { networks, running, last, nextMs } = scheduler;
      return {
        networks,
        ...(running === undefined ? {} : { running: showScan(running.ref, running.counts) }),
        ...(last === undefined ? {} : { last: showEndedScan(last) }),
        ...(nextMs === undefined ? {} : { nextAt: new Date(nextMs).toISOString() }),
      };
    });
  };

  function request(network: string | undefined): ReturnType<ScanScheduler['request']> {
    try {
      return scheduler.request(network);
    } catch (error) {
      const status = error instanceof WaywiserError ? statuses[error.code] : undefined;
      if (status === undefined || !(error instanceof WaywiserError)) throw error;
      throw new HttpProblem(status, error.code, error.message);
    }
  }
}

/** Of several members: one that scans, the scan that began last, and the next one of all. */
function mergeScans(answers: readonly Answer[]): Answer {
  const running = answers.find((answer) => answer.running !== undefined)?.running;
  const [last] = answers
    .flatMap((answer) => answer.last ?? [])
    .sort((a, b) => (a.beganAt < b.beganAt ? 1 : -1));
  const [nextAt] = answers.flatMap((answer) => answer.nextAt ?? []).sort();
  return {
    // All members have the same definitions.
    networks: answers[0]?.networks ?? [],
    ...(running === undefined ? {} : { running }),
    ...(last === undefined ? {} : { last }),
    ...(nextAt === undefined ? {} : { nextAt }),
  };
}
