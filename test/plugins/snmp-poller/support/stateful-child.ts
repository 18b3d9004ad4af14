import { argv } from 'node:process';
import { deviceRegistryToken } from '../../../../plugins/device-registry/service.ts';
import { discoveryToken } from '../../../../plugins/snmp-discovery/service.ts';
import { startTestCollector } from '../../../../src/testing/index.ts';
import { pollingPlugins } from './poller-stack.ts';

/** usage: stateful-child STATE DEFINITIONS. A collector that stores state continuously, until it is killed. */
const [, , stateDirectory = '', definitions = ''] = argv;
const collector = await startTestCollector({
  stateDirectory,
  env: { COMMUNITY: 'public' },
  plugins: pollingPlugins(definitions, { discovery: { starts_per_second: 1000 } }),
});
const devices = collector.getService(deviceRegistryToken);
const discoveries = collector.getService(discoveryToken);
const known = [...devices.devices()].filter((device) => discoveries.findInventory(device) !== undefined);
process.send?.({ ready: true, known: known.map(({ ref }) => ref.name), runs: discoveries.runs.length });

let turn = 0;
setInterval(() => {
  turn++;
  for (const device of devices.devices()) discoveries.request(device, 'requested');
  devices.putManaged(`managed-${turn % 7}`, {
    ip: `127.0.1.${turn % 7}`,
    version: '2c',
    enabled: false,
    tags: { turn: String(turn) },
  });
}, 5);
