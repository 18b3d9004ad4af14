import type { Member } from '../../../src/sharding/index.ts';
import type { EtcdClient } from './etcd-client.ts';
import { beginningOf, identityOf, storedIdentity } from './etcd-entries.ts';
import { type EtcdIdentity, isRestored } from './etcd-identity.ts';
import { decode, encode, endOf, txn } from './etcd-txn.ts';

export interface SuccessionParts {
  readonly name: string;
  readonly leaseMs: number;
  /** Whether a member that is not seen in this data polls devices. */
  isPolling(member: Member): Promise<boolean>;
}

/** The members that this one has seen while it had a lease in the data that was lost; undefined for a process that had none. */
export type Peers = ReadonlyMap<string, Member> | undefined;

/**
 * Lets members that find other data than before agree to use it. Each votes for the data that it finds. When more than half of those that
 * a member knew have voted, and no lease of the lost data can be trusted any more, it writes which data follows: everybody reads that.
 * A restored backup is never agreed on, because only people know whether its devices and definitions are right.
 */
export class DataSuccession {
  readonly #client: EtcdClient;
  readonly #prefix: string;
  readonly #identity: EtcdIdentity;
  readonly #parts: SuccessionParts;
  #found: string | undefined = undefined;
  #sinceMs = 0;
  #lease: string | undefined = undefined;

  constructor(client: EtcdClient, prefix: string, identity: EtcdIdentity, parts: SuccessionParts) {
    this.#client = client;
    this.#prefix = prefix;
    this.#identity = identity;
    this.#parts = parts;
  }

  /** Resolves to true when the data may be used, and to a reason while it may not. Called again and again until then. */
  async follows(found: string, known: string, peers: Peers): Promise<true | string> {
    if (found !== this.#found) {
      // Also after the known data was used again: then its leases were trusted again.
      this.#found = found;
      this.#sinceMs = performance.now();
      this.#lease = undefined;
    }
    if (found === known) return true;
    await this.#vote(known);
    const { current, successor, voters, registered } = await this.#read(known);
    if (!voters.has(this.#parts.name)) this.#lease = undefined;
    if (current !== found) return 'the data of etcd changes';
    if (successor === storedIdentity(found)) return true;
    const isOlder = beginningOf(found) > 0 && beginningOf(found) < beginningOf(known);
    const isCopy = storedIdentity(found) === storedIdentity(known);
    if (isRestored(found) || isOlder || isCopy) return 'etcd has other data than before: a backup';
    if (peers === undefined)
      return 'etcd has other data than before, and no member that was running knows it';
    const agreeing = [...peers.keys()].filter((name) => voters.has(name));
    if (agreeing.length * 2 <= peers.size)
      return `etcd has other data than before, and ${agreeing.length} of the ${peers.size} members that were known have found it`;
    const holdMs = Math.max(this.#parts.leaseMs, ...Array.from(peers.values(), ({ leaseMs = 0 }) => leaseMs));
    if (performance.now() - this.#sinceMs < holdMs)
      return 'etcd has other data than before: this member waits until nobody trusts a lease of the old data';
    const absent = [...peers.values()].filter(({ name }) => !voters.has(name) && !registered.has(name));
    const polling = await Promise.all(absent.map((member) => this.#parts.isPolling(member)));
    const other = absent.find((_, i) => polling[i]);
    if (other !== undefined)
      return `etcd has other data than before, and the member ${other.name} still polls with the old data`;
    await this.#decide(found, known, this.#identity.isHigher(found));
    return 'the members agree to use other data of etcd than before';
  }

  /** Data that no member was known to use before; a reason while somebody may still trust a lease of data that it replaces. */
  async isSettled(): Promise<true | string> {
    const { responses } = await txn(this.#client, {
      success: [{ request_range: { key: this.#key('young') } }],
    });
    if (responses?.[0]?.response_range?.kvs?.[0] === undefined) return true;
    return 'the data of etcd is new: members wait for one lease';
  }

  /** Under a lease, so that the vote of a member that ends does not stay. */
  async #vote(known: string): Promise<void> {
    const { leaseMs, name } = this.#parts;
    const isAlive =
      this.#lease !== undefined &&
      Number(
        (await this.#client.ask<{ TTL?: string }>('/v3/lease/keepalive', { ID: this.#lease })).TTL ?? 0,
      ) > 0;
    if (isAlive) return;
    const { ID } = await this.#client.ask<{ ID: string }>('/v3/lease/grant', {
      TTL: String(Math.ceil(leaseMs / 1000)),
    });
    await this.#client.ask('/v3/kv/put', {
      key: this.#key(`votes/${name}`),
      value: encode(known),
      lease: ID,
    });
    this.#lease = ID;
  }

  async #read(known: string) {
    const list = (path: string) => ({ key: this.#key(path), range_end: this.#key(endOf(path)) });
    const { header, responses = [] } = await txn(this.#client, {
      success: [
        { request_range: { key: this.#identity.key } },
        { request_range: { key: this.#key(`successors/${known}`) } },
        { request_range: list('votes/') },
        { request_range: { ...list('members/'), keys_only: true } },
      ],
    });
    const [cluster, successor, votes, members] = responses.map((each) => each.response_range?.kvs ?? []);
    const nameOf = ({ key }: { readonly key: string }) => decode(key).slice(decode(key).lastIndexOf('/') + 1);
    return {
      current: identityOf(header, cluster?.[0]),
      successor: successor?.[0] && decode(successor[0].value ?? ''),
      voters: new Set((votes ?? []).filter(({ value = '' }) => decode(value) === known).map(nameOf)),
      registered: new Set((members ?? []).map(nameOf)),
    };
  }

  /** Where epochs would begin below those that were, the data gets another identity, and who uses it already follows. */
  async #decide(found: string, known: string, isHigher: boolean): Promise<void> {
    const value = encode(isHigher ? storedIdentity(found) : this.#identity.newValue());
    const follow = (before: string) => ({
      request_put: { key: this.#key(`successors/${before}`), value },
    });
    await txn(this.#client, {
      compare: [{ key: this.#identity.key, target: 'VALUE', value: encode(storedIdentity(found)) }],
      success: isHigher
        ? [follow(known)]
        : [{ request_put: { key: this.#identity.key, value } }, follow(known), follow(found)],
    });
  }

  #key(path: string): string {
    return encode(`${this.#prefix}/${path}`);
  }
}
