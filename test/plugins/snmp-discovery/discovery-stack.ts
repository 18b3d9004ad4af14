import type { TestContext } from 'node:test';
import { definitionsToken } from '../../../plugins/definitions-loader/service.ts';
import registry from '../../../plugins/device-registry/index.ts';
import { deviceRegistryToken } from '../../../plugins/device-registry/service.ts';
import client from '../../../plugins/snmp-client/index.ts';
import discovery from '../../../plugins/snmp-discovery/index.ts';
import { discoveryToken } from '../../../plugins/snmp-discovery/service.ts';
import { startTestCollector } from '../../../src/testing/index.ts';
import type { DefinitionFolder } from '../support/definition-folder.ts';
import { inlineLoader } from '../support/inline-loader.ts';

/** A collector with discovery, from definition files to real packets. `heard` lists the discoveries that ended. */
export async function startDiscovery(test: TestContext, folder: DefinitionFolder, options: object = {}) {
  const collector = await startTestCollector({
    plugins: [
      { plugin: inlineLoader, options: { shipped: false, directories: [folder.path] } },
      { plugin: registry },
      { plugin: client },
      { plugin: discovery, options },
    ],
  });
  test.after(() => collector.stop());
  const heard: string[] = [];
  for (const name of ['discovery.completed', 'discovery.failed'] as const) {
    collector.events.on(
      name,
      ({ device, cause }) => void heard.push(`${name.slice(10)} ${device.name} ${cause}`),
    );
  }
  const devices = collector.getService(deviceRegistryToken);
  return {
    collector,
    heard,
    definitions: collector.getService(definitionsToken),
    discovery: collector.getService(discoveryToken),
    device: (name: string) => devices.findDeviceNamed(name)!,
    /** Resolves when no discovery waits or runs. */
    async settle(): Promise<void> {
      for (;;) {
        const open = collector.getService(discoveryToken).runs.filter(({ outcome }) => outcome === undefined);
        if (open.length === 0) return;
        await Promise.all(open.map(({ ended }) => ended));
      }
    },
  };
}
