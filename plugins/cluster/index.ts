import { hostname } from 'node:os';
import { defineErrors, definePlugin, openStateJournal } from '../../src/index.ts';
import { type Member, reportShards, ShardOwner, shardsToken } from '../../src/sharding/index.ts';
import { systemClock } from '../../src/timing/index.ts';
import { clusterErrors } from './errors.ts';
import type { Peers } from './etcd/data-succession.ts';
import { EtcdRefusal } from './etcd/etcd-client.ts';
import { EtcdCoordinator } from './etcd/etcd-coordinator.ts';
import { beginningOf } from './etcd/etcd-entries.ts';
import { HttpMemberRequests } from './member-requests.ts';
import { type ClusterOptions, clusterOptions } from './options.ts';

const failure = defineErrors(clusterErrors);

const saveEveryMs = 300_000;
const leaveWithinMs = 6_000;
/** Requests to etcd fail well before the lease does. */
const timeoutShare = 1 / 6;
const minTimeoutMs = 1_000;
const askReadyMs = 2_000;

export default definePlugin({
  name: 'cluster',
  kind: 'service',
  summary: 'Shares the devices with other collectors through etcd: each device is asked by one of them.',
  options: clusterOptions,
  provides: shardsToken,
  stopTimeoutMs: 20_000,
  check({ options }) {
    memberName(options);
  },
  start({ options, collector, events, log, onStop }) {
    const name = memberName(options);
    const { etcd } = options;
    const leaseMs = options.lease_seconds * 1000;
    const { journal, values } = openStateJournal({ collector, log, folder: 'cluster', name: 'cluster' });
    onStop(() => journal.close());
    let known = values.get('identity');
    const { close: endReports, ...reports } = reportShards({
      log,
      events,
      keepsPolling: options.on_outage === 'keep',
      tells: (error) => (error instanceof EtcdRefusal ? explainRefusal(error, etcd.prefix) : error),
    });
    onStop(endReports);
    const coordinator = new EtcdCoordinator(
      {
        endpoints: etcd.endpoints,
        username: etcd.username,
        password: etcd.password && (() => etcd.password!.reveal()),
        tls: etcd.tls,
        timeoutMs: Math.max(minTimeoutMs, leaseMs * timeoutShare),
      },
      etcd.prefix,
      reports.onProblem,
      leaseMs,
    );
    const requests = new HttpMemberRequests(options.token, options.tls);
    const succession = coordinator.succession({
      name,
      leaseMs,
      isPolling: (member) => isReady(requests, member),
    });
    const judge = async (identity: string, peers: Peers): Promise<true | string> => {
      if (known === undefined) return succession.isSettled();
      if (options.accept_new_cluster) return true;
      const verdict = await succession.follows(identity, String(known), peers);
      if (verdict === true) return true;
      reports.onProblem(failure('CLUSTER_CHANGED', { received: identity, expected: String(known) }));
      coordinator.useNext();
      return verdict;
    };
    const owner: ShardOwner = new ShardOwner(
      coordinator,
      {
        member: {
          name,
          weight: options.weight,
          address: options.advertise?.replace(/\/$/, ''),
          version: collector.version,
        },
        leaseMs,
        movesPerSecond: options.moves_per_second,
        keepsOnOutage: options.on_outage === 'keep',
        saveEveryMs,
        leaveWithinMs,
      },
      systemClock,
      {
        ...reports,
        async mayUse(identity, peers) {
          const verdict = await judge(identity, peers);
          if (verdict !== true) return verdict;
          if (known !== undefined && known !== identity)
            log.warn({ identity }, 'The data of etcd is new, and is used from now on.');
          if (known !== identity) journal.set('identity', identity);
          known = identity;
          owner.epochBase = beginningOf(identity);
          return true;
        },
        onNameTaken: () => reports.onProblem(failure('CLUSTER_NAME_TAKEN', { name })),
      },
      requests,
    );
    onStop(() => owner.close());
    onStop(() => owner.leave());
    events.on('collector.ready', () => owner.start());
    return owner;
  },
});

function explainRefusal(refusal: EtcdRefusal, prefix: string): Error {
  const reason = refusal.message;
  if (refusal.isFull) return failure('CLUSTER_ETCD_FULL', { reason });
  if (refusal.isDenied) return failure('CLUSTER_ETCD_REFUSED', { reason, prefix });
  return failure('CLUSTER_ETCD_FAILED', { reason });
}

/** A member that says so polls its devices. */
async function isReady(requests: HttpMemberRequests, member: Member): Promise<boolean> {
  try {
    const answer = await requests.ask(member, { method: 'GET', path: '/readyz', timeoutMs: askReadyMs });
    answer.body.resume();
    return answer.status === 200;
  } catch {
    return false;
  }
}

function memberName({ name = hostname() }: ClusterOptions): string {
  if (!/^[A-Za-z0-9][A-Za-z0-9._-]{0,63}$/.test(name)) throw failure('CLUSTER_NAME_INVALID', { name });
  return name;
}
