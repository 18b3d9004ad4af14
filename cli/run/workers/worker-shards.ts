import { HttpMemberRequests } from '../../../plugins/cluster/commands.ts';
import { definePlugin, type Plugin, Secret } from '../../../src/kernel/index.ts';
import { packageVersion } from '../../../src/own-package.ts';
import type { Coordinator, Member } from '../../../src/sharding/index.ts';
import {
  type Fleet,
  reportShards,
  ShardOwner,
  type Shards,
  shardsToken,
} from '../../../src/sharding/index.ts';
import { systemClock } from '../../../src/timing/clock.ts';

export const parentName = 'parent';

export interface WorkerShardsParts {
  readonly name: string;
  /** 0 for the parent, which owns nothing. */
  readonly weight: number;
  readonly coordinator: Coordinator;
  readonly leaseMs: number;
  /** With this token the processes call each other. */
  readonly token: string;
  /** Gets the function that lets the process claim shards. */
  onReady(claim: () => void): void;
  /** Sentences about workers that do not run. */
  listProblems?(): readonly string[];
  /** Whether all processes stop: there is nobody to give the shards to. */
  isLast(): boolean;
}

/** On one machine nothing has to be spared: shards move as fast as their owners let go of them. */
const movesPerSecond = 1_024;
const saveEveryMs = 300_000;
const leaveWithinMs = 6_000;

/** The plugin that takes the place of `shards` in the parent and in its workers. */
export function defineWorkerShards(parts: WorkerShardsParts): Plugin {
  const { name, weight, coordinator, leaseMs, token, onReady, isLast, listProblems } = parts;
  return definePlugin({
    name: 'workers',
    kind: 'service',
    summary: 'Shares the devices with the other processes of this collector.',
    provides: shardsToken,
    stopTimeoutMs: 20_000,
    start({ events, log, onStop }) {
      const { close: endReports, ...reports } = reportShards({ log, events, keepsPolling: false });
      onStop(endReports);
      const owner = new ShardOwner(
        coordinator,
        {
          member: { name, weight, address: undefined, version: packageVersion() },
          leaseMs,
          movesPerSecond,
          keepsOnOutage: false,
          saveEveryMs,
          leaveWithinMs,
        },
        systemClock,
        {
          mayUse: () => true,
          onNameTaken: () => log.warn({ worker: name }, 'Another process is this worker.'),
          ...reports,
          // The parent tells of all.
          ...(name === parentName ? {} : { onMembers() {} }),
        },
        new HttpMemberRequests(new Secret(token), {}),
      );
      onStop(() => owner.close());
      onReady(() => owner.start());
      return {
        owns: (shard) => owner.owns(shard),
        maySend: owner.maySend,
        epochOf: (shard) => owner.epochOf(shard),
        join: (part) => owner.join(part),
        leave: () => (isLast() ? Promise.resolve() : owner.leave()),
        fleet: owner.fleet,
        ...(name === parentName ? { workers: () => listWorkers(owner.fleet) } : {}),
        ...(listProblems === undefined ? {} : { listProblems }),
      } satisfies Shards;
    },
  });
}

/** Those that can be asked. */
function listWorkers({ members }: Fleet): readonly Member[] {
  return [...members.values()].filter(({ name, address }) => name !== parentName && address !== undefined);
}
