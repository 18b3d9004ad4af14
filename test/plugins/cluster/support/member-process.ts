import { argv } from 'node:process';
import cluster from '../../../../plugins/cluster/index.ts';
import { definitionsToken } from '../../../../plugins/definitions-loader/service.ts';
import { pollerToken } from '../../../../plugins/snmp-poller/service.ts';
import { shardsToken } from '../../../../src/sharding/index.ts';
import { createRecordingOutput, startTestCollector } from '../../../../src/testing/index.ts';
import { pollingPlugins } from '../../snmp-poller/support/poller-stack.ts';
import { countedRateOf } from './counted-devices.ts';

/** usage: member-process OPTIONS, as JSON. A member that ends cleanly with SIGTERM. */
const { definitions, stateDirectory, cluster: options, rates }: MemberProcessOptions = JSON.parse(argv[2]!);
const output = createRecordingOutput();
const collector = await startTestCollector({
  stateDirectory,
  logLevel: 'warn',
  plugins: [
    ...(rates ? [{ plugin: output.plugin }] : []),
    ...pollingPlugins(definitions, {
      client: { sockets: 1 },
      discovery: { starts_per_second: 1000 },
      poller: { counters: { rate: rates } },
    }),
    { plugin: cluster, options },
  ],
});
const shards = collector.getService(shardsToken);
const definitionsOf = collector.getService(definitionsToken);
const poller = collector.getService(pollerToken);

export interface MemberProcessOptions {
  readonly definitions: string;
  readonly stateDirectory: string;
  readonly cluster: object;
  /** Whether the rates of the counter of each device are reported. */
  readonly rates: boolean;
}

/** What a member tells the test. Times are of the monotonic clock of the machine, which all processes share. */
export interface MemberReport {
  readonly atMs?: number;
  readonly owned?: number | undefined;
  /** When the renewal was sent that etcd acknowledged last. */
  readonly renewedMs?: number | undefined;
  readonly gained?: readonly number[];
  readonly lost?: readonly number[];
  /** Slots without a poll, by the metrics. */
  readonly missed?: number;
  readonly polls?: number;
  readonly wallMs?: number;
  readonly attributes?: readonly string[];
  readonly key?: string;
  /** Of devices by port, in the order of the polls: the rate, or the reason why there is none. */
  readonly rates?: readonly (readonly [port: number, rate: number | string | undefined])[];
}

const now = () => Number(process.hrtime.bigint()) / 1e6;
const report = (facts: MemberReport) => process.send?.({ atMs: now(), ...facts });
let reported = 0;
const beat = () => {
  const system = definitionsOf.current.findObject('SNMPv2-MIB::system');
  const { ownedShards, leaseAgeMs } = shards.fleet!.status();
  const { polls, skippedSlots, overruns } = poller.counters();
  report({
    owned: ownedShards,
    renewedMs: leaseAgeMs === undefined ? undefined : now() - leaseAgeMs,
    missed: skippedSlots + overruns,
    polls,
    wallMs: Date.now(),
    attributes: [...(system?.definition.attributes.keys() ?? [])],
    rates: output.batches.slice(reported).map((batch) => [batch.device.port, countedRateOf(batch)]),
  });
  reported = output.batches.length;
};
setInterval(beat, 100);
shards.join({
  name: 'report',
  gain: (gained) => void report({ gained: [...gained] }),
  lose: (lost) => {
    beat();
    report({ lost: [...lost] });
  },
});
shards.fleet!.onShared('definitions/', (key) => report({ key }));
process.on('message', () => void definitionsOf.apply({ requestedBy: 'test' }).catch(() => {}));
process.on('SIGTERM', () => void collector.stop().then(() => process.exit(0)));
