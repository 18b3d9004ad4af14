import { definePlugin, openStateJournal, Type } from '../../src/index.ts';
import { createManager } from '../../src/snmp/index.ts';
import { KeptState } from './kept-state.ts';
import { snmpClientToken } from './service.ts';
import { SharedClient } from './shared-client.ts';

export * from './service.ts';

/** Every session has its turn to be kept within a minute: a kill loses no more than that. */
const keepEveryMs = 1_000;
const keptShare = keepEveryMs / 60_000;

export default definePlugin({
  name: 'snmp-client',
  kind: 'service',
  summary: 'Asks devices over SNMPv1, v2c and v3, all of them through a few shared sockets.',
  options: Type.Object({
    engine: Type.Union([Type.Literal('waywiser'), Type.Literal('net-snmp')], {
      description: 'the engine of devices that name none; net-snmp is a second opinion, slower by far',
      default: 'waywiser',
    }),
    sockets: Type.Integer({
      description: 'UDP sockets an address family',
      minimum: 1,
      maximum: 4,
      default: 2,
    }),
    packets_per_second: Type.Integer({
      description: 'datagrams a second to all devices together',
      minimum: 1,
      default: 100_000,
    }),
    max_in_flight: Type.Integer({
      description: 'requests that wait for replies, of all devices together',
      minimum: 1,
      default: 4_096,
    }),
  }),
  provides: snmpClientToken,
  start({ options, collector, events, log, onStop }) {
    const { journal, values } = openStateJournal({
      collector,
      log,
      folder: 'snmp-client',
      name: 'learned',
      contents: 'lessons of devices',
      groupMs: 1_000,
    });
    onStop(() => journal.close());
    const manager = createManager({
      countsByDevice: true,
      sockets: options.sockets,
      packetsPerSecond: options.packets_per_second,
      maxInFlight: options.max_in_flight,
    });
    const client = new SharedClient(manager, new KeptState(journal, values), options.engine);
    onStop(() => client.close());
    events.on('device.removed', ({ device }) => client.forget(device.ip, device.port));
    const timer = setInterval(() => client.keepNext(keptShare), keepEveryMs);
    onStop(() => clearInterval(timer));
    return client;
  },
});
