import { definitionsToken } from '../../plugins/definitions-loader/service.ts';
import type { DeviceTable } from '../../plugins/device-registry/device-table.ts';
import { deviceRegistryToken } from '../../plugins/device-registry/service.ts';
import httpApi from '../../plugins/http-api/index.ts';
import { httpApiToken } from '../../plugins/http-api/service.ts';
import httpRoutes from '../../plugins/http-routes/index.ts';
import snmpApi from '../../plugins/snmp-api/index.ts';
import { snmpClientToken } from '../../plugins/snmp-client/service.ts';
import { discoveryToken } from '../../plugins/snmp-discovery/service.ts';
import { startTestCollector } from '../../src/testing/index.ts';

/** The HTTP API with devices that nothing polls. */
export async function startListingApi(
  table: DeviceTable,
  findInventory: (device: never) => object | undefined = () => undefined,
) {
  const limits = { requests_per_second: 1_000_000, loop_delay_ms: 60_000 };
  const collector = await startTestCollector({
    plugins: [{ plugin: httpRoutes }, { plugin: snmpApi }, { plugin: httpApi, options: { port: 0, limits } }],
    services: [
      [definitionsToken, {}],
      [deviceRegistryToken, { size: table.size, devices: (from?: number) => table.values(from) }],
      [snmpClientToken, { findLearned: () => undefined }],
      [discoveryToken, { runs: [], findInventory }],
    ],
  });
  return { collector, baseUrl: collector.getService(httpApiToken).baseUrl };
}
