import type { TestContext } from 'node:test';
import { definitionsToken } from '../../../../plugins/definitions-loader/service.ts';
import registry from '../../../../plugins/device-registry/index.ts';
import { deviceRegistryToken } from '../../../../plugins/device-registry/service.ts';
import httpRoutes from '../../../../plugins/http-routes/index.ts';
import client from '../../../../plugins/snmp-client/index.ts';
import discovery from '../../../../plugins/snmp-discovery/index.ts';
import { discoveryToken } from '../../../../plugins/snmp-discovery/service.ts';
import poller from '../../../../plugins/snmp-poller/index.ts';
import { pollerToken } from '../../../../plugins/snmp-poller/service.ts';
import type { EventMap, EventName, Plugin } from '../../../../src/index.ts';
import { createRecordingOutput, startTestCollector, type TestPlugin } from '../../../../src/testing/index.ts';
import type { DefinitionFolder } from '../../support/definition-folder.ts';
import { inlineLoader } from '../../support/inline-loader.ts';

export interface StackOptions {
  /** The definitions-loader. The default one has no thread. */
  readonly loader?: Plugin;
  readonly poller?: object;
  readonly client?: object;
  readonly discovery?: object;
  /** Additional plugins. */
  readonly more?: readonly TestPlugin[];
  /** The variables for `${env:NAME}`. */
  readonly env?: Readonly<Record<string, string>>;
  /** A directory that is kept after the collector stops. */
  readonly stateDirectory?: string;
}

/** The plugins that are needed to poll with the definitions of a folder. */
export function pollingPlugins(definitions: string, options: StackOptions = {}): TestPlugin[] {
  return [
    { plugin: options.loader ?? inlineLoader, options: { shipped: false, directories: [definitions] } },
    { plugin: registry },
    { plugin: client, options: options.client ?? {} },
    { plugin: discovery, options: options.discovery ?? {} },
    { plugin: httpRoutes },
    { plugin: poller, options: { health_every_s: 0, ...options.poller } },
  ];
}

/** A collector from definition files to records, with real packets. */
export async function startPolling(
  test: TestContext,
  folder: Pick<DefinitionFolder, 'path'>,
  options: StackOptions = {},
) {
  const output = createRecordingOutput();
  const { stateDirectory } = options;
  const collector = await startTestCollector({
    ...(stateDirectory === undefined ? {} : { stateDirectory }),
    env: options.env ?? {},
    plugins: [{ plugin: output.plugin }, ...pollingPlugins(folder.path, options), ...(options.more ?? [])],
  });
  test.after(() => collector.stop());
  const devices = collector.getService(deviceRegistryToken);
  const service = collector.getService(pollerToken);
  return {
    collector,
    output,
    poller: service,
    definitions: collector.getService(definitionsToken),
    discovery: collector.getService(discoveryToken),
    device: (name: string) => devices.findDeviceNamed(name)!,
    /** Resolves when no discovery waits or runs. */
    async discovered(): Promise<void> {
      for (;;) {
        const open = collector.getService(discoveryToken).runs.filter(({ outcome }) => outcome === undefined);
        if (open.length === 0) return;
        await Promise.all(open.map(({ ended }) => ended));
      }
    },
    poll: (name: string) => service.pollNow(devices.findDeviceNamed(name)!),
    /** The next event of this name, and its payload. */
    next: <Name extends EventName>(name: Name, isMeant: (payload: EventMap[Name]) => boolean = () => true) =>
      new Promise<EventMap[Name]>((resolve) => {
        const remove = collector.events.on(name, (payload) => {
          if (!isMeant(payload)) return;
          remove();
          resolve(payload);
        });
      }),
  };
}
