import { type DeviceIdentity, deviceKey } from '../model/device.ts';

/** The number of shards. It never changes: another number would give every device another owner. */
export const shardCount = 1024;

export function listShards(): number[] {
  return Array.from({ length: shardCount }, (_, shard) => shard);
}

/** The shard of a device. It depends on the address and the port only, so that it never changes. */
export function shardOf(device: DeviceIdentity): number {
  return mix(deviceKey(device)) % shardCount;
}

/** The shard whose owner does a task that is not about one device, such as the scan of a network. */
export function shardOfTask(name: string): number {
  return mix(`task ${name}`) % shardCount;
}

/** A member as the choice of owners sees it. */
export interface WeightedMember {
  readonly name: string;
  /** 0: the member owns nothing. */
  readonly weight: number;
}

/**
 * The member that should own each shard; undefined where no member has a weight. Rendezvous hashing: when a member joins or leaves, only
 * its own shards move. The order of the members has no effect.
 */
export function chooseOwners(members: Iterable<WeightedMember>): readonly (string | undefined)[] {
  const owners = new Array<string | undefined>(shardCount).fill(undefined);
  const best = new Float64Array(shardCount).fill(Number.NEGATIVE_INFINITY);
  for (const { name, weight } of members) {
    if (weight <= 0) continue;
    const seed = mix(name);
    for (let shard = 0; shard < shardCount; shard++) {
      const unit = (scramble(seed ^ Math.imul(shard + 1, 0x9e3779b1)) + 0.5) / 2 ** 32;
      const score = -weight / Math.log(unit);
      const isBetter = score > best[shard]! || (score === best[shard] && name < owners[shard]!);
      if (!isBetter) continue;
      best[shard] = score;
      owners[shard] = name;
    }
  }
  return owners;
}

/** FNV-1a with the final mix of MurmurHash3. */
function mix(text: string): number {
  let value = 0x811c9dc5;
  for (let i = 0; i < text.length; i++) value = Math.imul(value ^ text.charCodeAt(i), 0x01000193);
  return scramble(value);
}

function scramble(seed: number): number {
  let value = Math.imul(seed ^ (seed >>> 16), 0x85ebca6b);
  value = Math.imul(value ^ (value >>> 13), 0xc2b2ae35);
  return (value ^ (value >>> 16)) >>> 0;
}
