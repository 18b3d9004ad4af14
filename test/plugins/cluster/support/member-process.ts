import { argv } from 'node:process';
import cluster from '../../../../plugins/cluster/index.ts';
import { definitionsToken } from '../../../../plugins/definitions-loader/service.ts';
import { shardsToken } from '../../../../src/internal.ts';
import { startTestCollector } from '../../../../src/testing/index.ts';
import { pollingPlugins } from '../../snmp-poller/support/poller-stack.ts';

/** usage: member-process NAME DEFINITIONS ETCD STATE ON_OUTAGE. A member that ends cleanly with SIGTERM. */
const [, , name = '', definitions = '', etcd = '', stateDirectory = '', onOutage = 'stop'] = argv;
const collector = await startTestCollector({
  stateDirectory,
  logLevel: 'warn',
  plugins: [
    ...pollingPlugins(definitions, { client: { sockets: 1 }, discovery: { starts_per_second: 1000 } }),
    {
      plugin: cluster,
      options: {
        name,
        etcd: { endpoints: [etcd] },
        lease_seconds: 6,
        moves_per_second: 1024,
        on_outage: onOutage,
      },
    },
  ],
});
const shards = collector.getService(shardsToken);
const definitionsOf = collector.getService(definitionsToken);

/** What a member tells the test. */
export interface MemberReport {
  readonly owned?: number | undefined;
  readonly attributes?: readonly string[];
  readonly key?: string;
}

const report = (facts: MemberReport) => process.send?.(facts);
setInterval(() => {
  const system = definitionsOf.current.findObject('SNMPv2-MIB::system');
  const attributes = [...(system?.definition.attributes.keys() ?? [])];
  report({ owned: shards.fleet?.status().ownedShards, attributes });
}, 100);
shards.fleet?.onShared('definitions/', (key) => report({ key }));
process.on('message', () => void definitionsOf.apply({ requestedBy: 'test' }).catch(() => {}));
process.on('SIGTERM', () => void collector.stop().then(() => process.exit(0)));
