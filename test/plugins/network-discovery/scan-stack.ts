import { rmSync } from 'node:fs';
import type { TestContext } from 'node:test';
import { definitionsToken } from '../../../plugins/definitions-loader/service.ts';
import registry from '../../../plugins/device-registry/index.ts';
import { deviceRegistryToken } from '../../../plugins/device-registry/service.ts';
import httpRoutes from '../../../plugins/http-routes/index.ts';
import networkDiscovery from '../../../plugins/network-discovery/index.ts';
import client from '../../../plugins/snmp-client/index.ts';
import discovery from '../../../plugins/snmp-discovery/index.ts';
import type { EventMap } from '../../../src/index.ts';
import { startTestCollector, type TestPlugin } from '../../../src/testing/index.ts';
import { temporaryFolder } from '../../support/temporary-folder.ts';
import type { DefinitionFolder } from '../support/definition-folder.ts';
import { inlineLoader } from '../support/inline-loader.ts';

export interface ScanStackOptions {
  readonly options?: Readonly<Record<string, unknown>>;
  readonly stateDirectory?: string;
  readonly more?: readonly TestPlugin[];
}

/** A collector that scans networks, with real files and real packets. Its first scan begins immediately, and is fast. */
export async function startScanning(
  test: TestContext,
  folder: DefinitionFolder,
  { options = {}, stateDirectory = temporaryFolder(test), more = [] }: ScanStackOptions = {},
) {
  const ended: (EventMap['scan.completed'] | EventMap['scan.failed'])[] = [];
  let wake = () => {};
  const collector = await startTestCollector({
    stateDirectory,
    plugins: [
      { plugin: inlineLoader, options: { shipped: false, directories: [folder.path] } },
      { plugin: registry },
      { plugin: client },
      { plugin: discovery },
      { plugin: httpRoutes },
      {
        plugin: networkDiscovery,
        options: { start_after_ms: 0, packets_per_second: 1000, ...options },
      },
      ...more,
    ],
  });
  test.after(async () => {
    await collector.stop();
    // A collector that stops writes its state once more.
    rmSync(stateDirectory, { recursive: true, force: true });
  });
  const heard: string[] = [];
  for (const name of ['device.added', 'device.changed', 'device.removed'] as const) {
    collector.events.on(name, ({ device }) => void heard.push(`${name.slice(7)} ${device.name}`));
  }
  for (const name of ['scan.completed', 'scan.failed'] as const) {
    collector.events.on(name, (event: EventMap[typeof name]) => {
      ended.push(event);
      wake();
    });
  }
  return {
    collector,
    heard,
    ended,
    registry: collector.getService(deviceRegistryToken),
    apply: () => collector.getService(definitionsToken).apply({ requestedBy: 'test' }),
    /** Resolves with the `count`-th scan that ended, however it ended. */
    async waitForScan(count: number): Promise<EventMap['scan.completed'] & { readonly code?: string }> {
      while (ended.length < count) {
        await new Promise<void>((resolve) => {
          wake = resolve;
        });
      }
      return ended[count - 1]!;
    },
  };
}
