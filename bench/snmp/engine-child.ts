import { argv } from 'node:process';
import { createManager } from '../../src/snmp/index.ts';
import { benchUser } from './bench-user.ts';
import { communityOpener, measure, pollDevices, walkDevices } from './load.ts';

/** usage: engine-child (walk|poll|walk-user|…) PORT DEVICES IN_FLIGHT. Prints the cost of the second of two rounds. */
const [, , work = '', port = '', devices = '', inFlight = ''] = argv;
const manager = createManager();
const openCommunity = communityOpener(manager, Number(port));
const openUser = () =>
  manager.open({ address: '127.0.0.1', port: Number(port), version: '3', user: benchUser, timeoutMs: 5_000 });
const openOne = () =>
  manager.open({
    address: '127.0.0.1',
    port: Number(port),
    version: '2c',
    community: 'public',
    timeoutMs: 5_000,
  });
const load = {
  walk: () => walkDevices(openCommunity, Number(devices), Number(inFlight)),
  poll: () =>
    pollDevices(openCommunity, { version: '2c', community: 'public' }, Number(devices), Number(inFlight)),
  'walk-user': () => walkDevices(openUser, Number(devices), Number(inFlight)),
  'walk-community': () => walkDevices(openOne, Number(devices), Number(inFlight)),
  'poll-user': () => pollDevices(openUser, { version: '3' }, Number(devices), Number(inFlight)),
  'poll-community': () =>
    pollDevices(openOne, { version: '2c', community: 'public' }, Number(devices), Number(inFlight)),
}[work];
if (load === undefined) throw new RangeError(`There is no work named ${work}.`);
await load();
const cost = await measure(load);
console.log(JSON.stringify({ ...cost, timeouts: manager.counters().timeouts }));
manager.close();
