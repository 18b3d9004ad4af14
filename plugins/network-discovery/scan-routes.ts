import { access, HttpProblem, Type, WaywiserError } from '../../../src/index.ts';
import type { RoutePlugin } from '../../http-routes/service.ts';
import type { ScanKeeper } from '../scan-keeper.ts';
import { endedScanSchema, scanSchema, showEndedScan, showScan } from './scan-schema.ts';

const beginSchema = {
  operationId: 'scanNetworks',
  tags: ['devices'],
  summary: 'Look for devices in the networks of autodiscover/networks.yml',
  description:
    'One scan at a time: while one runs, the request joins it. `GET /api/v1/snmp/network-scans` tells how far it is.',
  querystring: Type.Object(
    { network: Type.Optional(Type.String({ maxLength: 1024, description: 'its id; all by default' })) },
    { additionalProperties: false },
  ),
  response: {
    202: Type.Object(
      { joined: Type.Boolean({ description: 'whether a scan ran already' }), scan: scanSchema },
      { description: 'The scan is under way.' },
    ),
  },
};

const listSchema = {
  operationId: 'getNetworkScans',
  tags: ['devices'],
  summary: 'The scan of networks that runs, the last one and when the next is due',
  response: {
    200: Type.Object(
      {
        running: Type.Optional(scanSchema),
        last: Type.Optional(endedScanSchema),
        nextAt: Type.Optional(Type.String({ format: 'date-time' })),
      },
      { title: 'NetworkScans' },
    ),
  },
};

const statuses: Readonly<Record<string, number>> = {
  SCAN_NO_NETWORKS: 409,
  SCAN_STOPPED: 409,
  SCAN_NETWORK_UNKNOWN: 404,
};

/** To begin a scan, and to see how it goes. */
export function scanRoutes(keeper: ScanKeeper): RoutePlugin {
  return async (app) => {
    app.post(
      '/api/v1/snmp/scan-networks',
      { config: access('operate'), schema: beginSchema },
      async ({ query }, reply) => {
        const { scan, joined } = request(query.network);
        return reply.code(202).send({ joined, scan: showScan(scan.ref, scan.counts) });
      },
    );

    app.get('/api/v1/snmp/network-scans', { config: access('read'), schema: listSchema }, async () => {
      const { running, last, nextMs } = keeper;
      return {
        ...(running === undefined ? {} : { running: showScan(running.ref, running.counts) }),
        ...(last === undefined ? {} : { last: showEndedScan(last) }),
        ...(nextMs === undefined ? {} : { nextAt: new Date(nextMs).toISOString() }),
      };
    });
  };

  function request(network: string | undefined): ReturnType<ScanKeeper['request']> {
    try {
      return keeper.request(network);
    } catch (error) {
      const status = error instanceof WaywiserError ? statuses[error.code] : undefined;
      if (status === undefined || !(error instanceof WaywiserError)) throw error;
      throw new HttpProblem(status, error.code, error.message);
    }
  }
}
