import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import loader from '../../plugins/definitions-loader/index.ts';
import registry from '../../plugins/device-registry/index.ts';
import { deviceRegistryToken } from '../../plugins/device-registry/service.ts';
import httpApi from '../../plugins/http-api/index.ts';
import { httpApiToken } from '../../plugins/http-api/service.ts';
import httpRoutes from '../../plugins/http-routes/index.ts';
import snmpApi from '../../plugins/snmp-api/index.ts';
import client from '../../plugins/snmp-client/index.ts';
import discovery from '../../plugins/snmp-discovery/index.ts';
import { discoveryToken } from '../../plugins/snmp-discovery/service.ts';
import poller from '../../plugins/snmp-poller/index.ts';
import { pollerToken } from '../../plugins/snmp-poller/service.ts';
import { startTestCollector } from '../../src/testing/index.ts';
import { definitionsOf } from '../poller/bench-folder.ts';
import { alikeDevices, writeDefinitions } from '../poller/interface-definitions.ts';
import { makeWorkshop, startFastAgent } from '../support/processes.ts';

/** A collector with its API that polls devices with 48 interfaces each. */
export async function startPolledCollector(devices: number, everySeconds: number) {
  const workshop = makeWorkshop();
  const agent = await startFastAgent(workshop.folder, 48);
  const folder = mkdtempSync(join(tmpdir(), 'waywiser-bench-'));
  writeDefinitions(folder, alikeDevices(devices, agent.port, everySeconds));
  const collector = await startTestCollector({
    plugins: [
      { plugin: loader, options: { shipped: false, directories: [definitionsOf(folder)] } },
      { plugin: registry },
      { plugin: client },
      { plugin: discovery, options: { starts_per_second: 1000, max_concurrent: 100 } },
      { plugin: httpRoutes },
      { plugin: snmpApi },
      { plugin: poller },
      {
        plugin: httpApi,
        options: { port: 0, limits: { requests_per_second: 1_000_000, loop_delay_ms: 60_000 } },
      },
    ],
  });
  await Promise.all(collector.getService(discoveryToken).runs.map(({ ended }) => ended));
  const polling = collector.getService(pollerToken);
  const registered = collector.getService(deviceRegistryToken);
  return {
    baseUrl: collector.getService(httpApiToken).baseUrl,
    /** Measures the lateness of poll slots until the returned function is called. */
    watchSlots() {
      const latenessMs: number[] = [];
      const remove = collector.events.on('poll.completed', ({ device: { ip, port } }) => {
        latenessMs.push(polling.deviceCounters(registered.findDevice(ip, port)!)!.lastLateMs);
      });
      return () => {
        remove();
        latenessMs.sort((a, b) => a - b);
        return { slots: latenessMs.length, p99Ms: latenessMs[Math.floor(latenessMs.length * 0.99)] ?? 0 };
      };
    },
    async stop(): Promise<void> {
      await collector.stop();
      agent.process.kill();
      workshop.remove();
      rmSync(folder, { recursive: true });
    },
  };
}
