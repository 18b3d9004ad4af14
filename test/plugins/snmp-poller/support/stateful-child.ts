import { argv } from 'node:process';
import loader from '../../../../plugins/definitions-loader/index.ts';
import registry from '../../../../plugins/device-registry/index.ts';
import { deviceRegistryToken } from '../../../../plugins/device-registry/service.ts';
import client from '../../../../plugins/snmp-client/index.ts';
import discovery from '../../../../plugins/snmp-discovery/index.ts';
import { discoveryToken } from '../../../../plugins/snmp-discovery/service.ts';
import poller from '../../../../plugins/snmp-poller/index.ts';
import { startTestCollector } from '../../../../src/testing/index.ts';

/** usage: stateful-child STATE DEFINITIONS. A collector that stores something all the time, and lives until it is killed. */
const [, , stateDirectory = '', definitions = ''] = argv;
const collector = await startTestCollector({
  stateDirectory,
  env: { COMMUNITY: 'public' },
  plugins: [
    { plugin: loader, options: { directories: [definitions] } },
    { plugin: registry },
    { plugin: client },
    { plugin: discovery, options: { starts_per_second: 1000 } },
    { plugin: poller },
  ],
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
