import loader from '../../plugins/definitions-loader/index.ts';
import registry from '../../plugins/device-registry/index.ts';
import history from '../../plugins/history/index.ts';
import httpApi from '../../plugins/http-api/index.ts';
import { httpApiToken } from '../../plugins/http-api/service.ts';
import httpRoutes from '../../plugins/http-routes/index.ts';
import networks from '../../plugins/network-discovery/index.ts';
import snmpApi from '../../plugins/snmp-api/index.ts';
import client from '../../plugins/snmp-client/index.ts';
import discovery from '../../plugins/snmp-discovery/index.ts';
import poller from '../../plugins/snmp-poller/index.ts';
import traps from '../../plugins/snmp-traps/index.ts';
import { startTestCollector } from '../../src/testing/index.ts';
import type { ApiDocument } from './render-operations.ts';

/** The OpenAPI document of a collector that polls, as it serves it. */
export async function describeApi(): Promise<ApiDocument> {
  const collector = await startTestCollector({
    plugins: [
      { plugin: loader, options: { shipped: false, directories: [] } },
      { plugin: registry },
      { plugin: client },
      { plugin: discovery },
      { plugin: httpRoutes },
      { plugin: snmpApi },
      { plugin: poller },
      { plugin: networks },
      { plugin: history },
      { plugin: traps, options: { listen: [{ address: '127.0.0.1', port: 0 }], threads: 0 } },
      // On a busy machine the API would answer 503.
      { plugin: httpApi, options: { port: 0, limits: { loop_delay_ms: 60_000 } } },
    ],
  });
  try {
    const answer = await fetch(`${collector.getService(httpApiToken).baseUrl}/openapi.json`);
    return (await answer.json()) as ApiDocument;
  } finally {
    await collector.stop();
  }
}
