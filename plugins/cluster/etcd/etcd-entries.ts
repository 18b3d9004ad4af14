import type { FleetChange, Member } from '../../../src/sharding/index.ts';
import type { EtcdEntry, EtcdHeader } from './etcd-client.ts';
import { decode } from './etcd-txn.ts';

/** Identifies the data of etcd: by its own id, and by what the first member wrote. */
export function identityOf({ cluster_id: id }: EtcdHeader, entry: EtcdEntry | undefined): string {
  return `${id}/${decode(entry?.value ?? '')}`;
}

/** What the key of an identity holds. */
export function storedIdentity(identity: string): string {
  return identity.slice(identity.indexOf('/') + 1);
}

/** When the data of the store began, in milliseconds since 1970. */
export function beginningOf(identity: string): number {
  return Number(/\/(\d+)-/.exec(identity)?.[1] ?? 0);
}

/** Undefined for a key or a value that no member writes. A member or a claim without a lease would never end, so it counts as removed. */
export function toChange(prefix: string, entry: EtcdEntry, isDeleted = false): FleetChange | undefined {
  const revision = Number(entry.mod_revision);
  const path = decode(entry.key).slice(prefix.length + 1);
  const kind = path.slice(0, path.indexOf('/'));
  const rest = path.slice(kind.length + 1);
  if (kind === 'shared') {
    return { kind, revision, key: rest, value: isDeleted ? undefined : decode(entry.value ?? '') };
  }
  const isDeletion = isDeleted || Number(entry.lease ?? 0) === 0;
  const facts = isDeletion ? {} : parseFacts(entry);
  if (facts === undefined) return undefined;
  if (kind === 'members') {
    const value = isDeletion ? undefined : toMember(rest, facts);
    return { kind: 'member', revision, name: rest, value };
  }
  const shard = Number(rest);
  if (kind !== 'shards' || !Number.isInteger(shard)) return undefined;
  const claim = {
    member: String(facts['member']),
    lease: entry.lease ?? '',
    epoch: Number(entry.create_revision),
  };
  return { kind: 'claim', revision, shard, value: isDeletion ? undefined : claim };
}

function parseFacts({ value = '' }: EtcdEntry): Record<string, unknown> | undefined {
  try {
    const facts: unknown = JSON.parse(decode(value));
    return typeof facts === 'object' && facts !== null ? (facts as Record<string, unknown>) : undefined;
  } catch {
    return undefined;
  }
}

function toMember(
  name: string,
  { weight, address, version, leaseMs }: Readonly<Record<string, unknown>>,
): Member {
  return {
    name,
    weight: typeof weight === 'number' && weight > 0 ? weight : 0,
    address: typeof address === 'string' ? address : undefined,
    version: String(version),
    ...(typeof leaseMs === 'number' ? { leaseMs } : {}),
  };
}
