import { fleetQuery, fleetRead, scopeHeader } from '../../src/http/index.ts';
import { access, HttpProblem, Type, WaywiserError } from '../../src/index.ts';
import type { RoutePlugin } from '../http-routes/service.ts';
import { joinBegun, mergeScans } from './merge-scans.ts';
import { requestScan, type ScanRequestParts, scanHeader } from './request-scan.ts';
import { begunSchema, scansSchema, showEndedScan, showScan } from './scan-schemas.ts';

const beginSchema = {
  operationId: 'scanNetworks',
  tags: ['devices'],
  summary: 'Scan the networks of autodiscover/networks.yml for devices',
  description:
    'Only one scan runs at a time. While one runs, the request joins it. `GET /api/v1/snmp/network-scans` returns its progress. In a cluster each network is scanned by the member that owns it, and the answer adds what they say.',
  querystring: Type.Object(
    {
      ...fleetQuery,
      network: Type.Optional(
        Type.String({ maxLength: 1024, description: 'the id of a network; all networks by default' }),
      ),
    },
    { additionalProperties: false },
  ),
  response: {
    202: begunSchema,
  },
};

const listSchema = {
  operationId: 'getNetworkScans',
  tags: ['devices'],
  summary: 'The networks, the current scan, the last one, and when the next one begins',
  querystring: Type.Object(fleetQuery, { additionalProperties: false }),
  response: { 200: scansSchema },
};

const statuses: Readonly<Record<string, number>> = {
  SCAN_NO_NETWORKS: 409,
  SCAN_STOPPED: 409,
  SCAN_NETWORK_UNKNOWN: 404,
  SCAN_NOT_OWNED: 503,
  SCAN_MEMBER_SILENT: 502,
};

const isScanId = /^[0-9a-f-]{36}$/;

/** The routes that begin a scan and show its progress. */
export function scanRoutes(parts: ScanRequestParts): RoutePlugin {
  return async (app) => {
    app.post(
      '/api/v1/snmp/scan-networks',
      { config: access('operate'), schema: beginSchema },
      async ({ query, headers, id: requestId }, reply) => {
        const id = headers[scanHeader];
        const wish = {
          network: query.network,
          requestId,
          isForMember: headers[scopeHeader] !== undefined,
          id: typeof id === 'string' && isScanId.test(id) ? id : undefined,
        };
        const { answers, ...facts } = await answered(requestScan(wish, parts));
        return reply.code(202).send({ ...joinBegun(answers), ...facts });
      },
    );

    app.get('/api/v1/snmp/network-scans', { config: fleetRead(mergeScans), schema: listSchema }, async () => {
      const { networks, running, last, nextMs } = parts.scheduler;
      return {
        networks,
        ...(running === undefined ? {} : { running: showScan(running.ref, running.counts) }),
        ...(last === undefined ? {} : { last: showEndedScan(last) }),
        ...(nextMs === undefined ? {} : { nextAt: new Date(nextMs).toISOString() }),
      };
    });
  };
}

async function answered<Value>(request: Promise<Value>): Promise<Value> {
  try {
    return await request;
  } catch (error) {
    const status = error instanceof WaywiserError ? statuses[error.code] : undefined;
    if (status === undefined || !(error instanceof WaywiserError)) throw error;
    throw new HttpProblem(status, error.code, error.message);
  }
}
