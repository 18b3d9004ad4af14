/** For plugins that work for the devices of this collector only, and for stores of claims. */

export { askWorkers, type WorkerAnswer } from './ask-workers.ts';
export type {
  Claim,
  Coordinator,
  FleetChange,
  FleetListener,
  FleetSnapshot,
  Member,
  SavedShard,
} from './coordinator.ts';
export type { MemoryStore } from './memory-coordinator.ts';
export { reportShards } from './report-shards.ts';
export { chooseOwners, listShards, shardCount, shardOf, shardOfTask } from './shard.ts';
export { ShardOwner } from './shard-owner.ts';
export {
  type Fleet,
  type MemberAnswer,
  type MemberCall,
  type MemberRequests,
  ownerSilentMs,
  type ShardPart,
  type Shards,
  shardsToken,
} from './shards.ts';
