import { definePlugin, openStateJournal, Type } from '../../src/index.ts';
import { deepFreeze, lockService } from '../../src/kernel/index.ts';
import { shardsToken } from '../../src/sharding/index.ts';
import { createManager } from '../../src/snmp/index.ts';
import { SavedState } from './saved-state.ts';
import { type SnmpClient, snmpClientToken } from './service.ts';
import { SharedClient } from './shared-client.ts';

export * from './service.ts';

/** The state of every session is saved once per minute: a kill loses no more than that. */
const saveEveryMs = 1_000;
const savedShare = saveEveryMs / 60_000;

export default definePlugin({
  name: 'snmp-client',
  kind: 'service',
  summary: 'Sends SNMPv1, v2c and v3 requests to all devices over a few shared sockets.',
  options: Type.Object({
    engine: Type.Union([Type.Literal('waywiser'), Type.Literal('net-snmp')], {
      description: 'the SNMP engine; net-snmp is much slower: use it to compare results',
      default: 'waywiser',
    }),
    sockets: Type.Integer({
      description: 'the number of UDP sockets per address family',
      minimum: 1,
      maximum: 4,
      default: 2,
    }),
    packets_per_second: Type.Integer({
      description: 'the most datagrams per second to all devices together',
      minimum: 1,
      default: 100_000,
    }),
    max_in_flight: Type.Integer({
      description: 'the most requests to all devices together that wait for a reply',
      minimum: 1,
      default: 4_096,
    }),
  }),
  needs: { shards: shardsToken },
  provides: snmpClientToken,
  start({ options, needs, collector, events, log, onStop }) {
    const { journal, values } = openStateJournal({
      collector,
      log,
      folder: 'snmp-client',
      name: 'learned',
      contents: 'learned device limits',
      groupMs: 1_000,
    });
    onStop(() => journal.close());
    const manager = createManager({
      countsByDevice: true,
      maySend: needs.shards.maySend,
      sockets: options.sockets,
      packetsPerSecond: options.packets_per_second,
      maxInFlight: options.max_in_flight,
    });
    const client = new SharedClient(manager, new SavedState(journal, values), options.engine);
    onStop(() => client.close());
    events.on('device.removed', ({ device }) => client.forget(device.ip, device.port));
    const timer = setInterval(() => client.saveNext(savedShare), saveEveryMs);
    onStop(() => clearInterval(timer));
    return client;
  },
  viewFor: (client, { isBuiltIn }) => (isBuiltIn ? client : protectClient(client)),
});

/** The client for a plugin that is not built in. It counts and learns in the objects that it returns, so the plugin gets frozen copies. */
function protectClient(client: SnmpClient): SnmpClient {
  const copy = <T>(answer: T): T => deepFreeze(structuredClone(answer));
  return lockService(client, {
    findLearned: (subject) => copy(client.findLearned(subject)),
    counters: () => copy(client.counters()),
    engines: () => copy(client.engines()),
    engineFindings: () => copy(client.engineFindings()),
  });
}
