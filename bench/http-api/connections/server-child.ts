import { monitorEventLoopDelay } from 'node:perf_hooks';
import { argv, cpuUsage } from 'node:process';
import { pathToFileURL } from 'node:url';
import { StallWatch } from '../../../test/support/stall-watch.ts';

/** What the server's process sees during a flood of connections. */
export interface ServerFigures {
  readonly cpuMs: number;
  /** The longest work without a break, by clock and processor time. */
  readonly stallMs: number;
  readonly loopDelayP99Ms: number;
  readonly loopDelayMaxMs: number;
}

/**
 * usage: server-child CHECKOUT [CERTIFICATE KEY]. Serves the API of a checkout, sends its URL, and answers each message with the figures
 * since the last one.
 */
const [, , checkout = '', certificate, key] = argv;
const root = pathToFileURL(`${checkout}/`);
const load = <Module>(path: string) => import(new URL(path, root).href) as Promise<Module>;
const [{ startTestCollector }, { default: httpRoutes }, { default: httpApi }, ...services] =
  await Promise.all([
    load<typeof import('../../../src/testing/index.ts')>('src/testing/index.ts'),
    load<typeof import('../../../plugins/http-routes/index.ts')>('plugins/http-routes/index.ts'),
    load<typeof import('../../../plugins/http-api/index.ts')>('plugins/http-api/index.ts'),
    load<typeof import('../../../plugins/http-api/service.ts')>('plugins/http-api/service.ts'),
    load<typeof import('../../../plugins/definitions-loader/service.ts')>(
      'plugins/definitions-loader/service.ts',
    ),
    load<typeof import('../../../plugins/device-registry/service.ts')>('plugins/device-registry/service.ts'),
    load<typeof import('../../../plugins/snmp-client/service.ts')>('plugins/snmp-client/service.ts'),
    load<typeof import('../../../plugins/snmp-discovery/service.ts')>('plugins/snmp-discovery/service.ts'),
  ]);
const [
  { httpApiToken },
  { definitionsToken },
  { deviceRegistryToken },
  { snmpClientToken },
  { discoveryToken },
] = services;
const limits = { requests_per_second: 1_000_000, loop_delay_ms: 60_000 };
const collector = await startTestCollector({
  plugins: [
    { plugin: httpRoutes },
    {
      plugin: httpApi,
      options: { port: 0, limits, ...(certificate === undefined ? {} : { tls: { certificate, key } }) },
    },
  ],
  services: [
    [definitionsToken, {}],
    [deviceRegistryToken, { size: 0, devices: () => [] }],
    [snmpClientToken, { findLearned: () => undefined }],
    [discoveryToken, { runs: [], findInventory: () => undefined }],
  ],
});
let report = watch();
process.on('message', () => {
  process.send?.(report());
  report = watch();
});
process.on('disconnect', () => process.exit());
process.send?.(collector.getService(httpApiToken).baseUrl);

function watch(): () => ServerFigures {
  const stalls = new StallWatch();
  const delay = monitorEventLoopDelay({ resolution: 1 });
  delay.enable();
  const before = cpuUsage();
  return () => {
    const { user, system } = cpuUsage(before);
    delay.disable();
    const stallMs = Math.round(stalls.longestMs);
    stalls.close();
    return {
      cpuMs: Math.round((user + system) / 1_000),
      stallMs,
      loopDelayP99Ms: Math.round(delay.percentile(99) / 1e6),
      loopDelayMaxMs: Math.round(delay.max / 1e6),
    };
  };
}
