import type {
  Claim,
  Coordinator,
  FleetListener,
  FleetSnapshot,
  Member,
  SavedShard,
} from '../../../src/sharding/index.ts';
import { DataSuccession, type SuccessionParts } from './data-succession.ts';
import { EtcdClient, type EtcdOptions, EtcdRefusal } from './etcd-client.ts';
import { EtcdContents } from './etcd-contents.ts';
import { toChange } from './etcd-entries.ts';
import { EtcdIdentity } from './etcd-identity.ts';
import { decode, encode, type RangeAnswer, type Txn, type TxnAnswer, txn, withResults } from './etcd-txn.ts';

/** The answer to a transaction inside another one. */
type NestedAnswer = Partial<TxnAnswer> & { readonly revision: number };

interface WaitingTxn {
  readonly parts: Txn;
  resolve(answer: NestedAnswer): void;
  reject(error: unknown): void;
}

interface StateManifest {
  readonly epoch: number;
  readonly id: string;
  readonly chunks: number;
}

/** Well below etcd's limit of 1.5 MiB for a request, in which base64 adds a third. */
const chunkBytes = 512 * 1024;
/** Of these, fifty may be in one request. */
const smallBytes = 16 * 1024;
/** etcd allows 128 operations in a transaction, those inside it included. */
const maxBatch = 50;
const watchAgainMs = 500;
const usualLeaseMs = 10_000;
const noLease = '0';
/** A connection that died in silence delivers no changes. */
const readAgainMs = 30_000;

/**
 * Keeps leases, members, claims and states in etcd. What members watch is between `members/` and `shared/`, in the order of the keys;
 * states are outside, because they are large.
 */
export class EtcdCoordinator implements Coordinator {
  readonly #client: EtcdClient;
  readonly #prefix: string;
  readonly #contents: EtcdContents;
  /** By the ends of watches: what begins them again; `renew` does so unless they are beginning. */
  readonly #watches = new Map<() => void, { restart(): void; renew(): void }>();
  readonly #onFailure: (error: unknown) => void;
  readonly #waiting: WaitingTxn[] = [];
  readonly #identity: EtcdIdentity;
  #saves = 0;

  constructor(
    options: EtcdOptions,
    prefix: string,
    onFailure: (error: unknown) => void,
    leaseMs = usualLeaseMs,
  ) {
    // A connection that died in silence delivers no changes.
    this.#client = new EtcdClient(options, () => {
      for (const { renew } of this.#watches.values()) renew();
    });
    this.#prefix = prefix.replace(/\/+$/, '');
    this.#onFailure = onFailure;
    this.#contents = new EtcdContents(this.#client, `${this.#prefix}/contents/`);
    this.#identity = new EtcdIdentity(this.#client, this.#prefix, leaseMs);
  }

  async identify(): Promise<string> {
    const { identity, isOther } = await this.#identity.identify();
    if (isOther) for (const { restart } of this.#watches.values()) restart();
    return identity;
  }

  /** What decides about data that is not the data that this member used before. */
  succession(parts: SuccessionParts): DataSuccession {
    return new DataSuccession(this.#client, this.#prefix, this.#identity, parts);
  }

  /** Where endpoints lead to different data by mistake, the next one may have the right data. */
  useNext(): void {
    this.#client.useNext();
  }

  async grantLease(leaseMs: number): Promise<string> {
    const { ID } = await this.#client.ask<{ ID: string }>('/v3/lease/grant', {
      TTL: String(Math.ceil(leaseMs / 1000)),
    });
    return ID;
  }

  async renewLease(lease: string): Promise<boolean> {
    if (!(await this.#identity.confirm())) {
      // A lease of restored data may go on, with claims that others have made since. Who lets it end asks for the identity next.
      await this.revokeLease(lease).catch(() => {});
      return false;
    }
    const { TTL = '0' } = await this.#client.ask<{ TTL?: string }>('/v3/lease/keepalive', { ID: lease });
    return Number(TTL) > 0;
  }

  async revokeLease(lease: string): Promise<void> {
    try {
      await this.#client.ask('/v3/lease/revoke', { ID: lease });
    } catch (error) {
      if (!(error instanceof EtcdRefusal && error.isNotFound)) throw error;
    }
  }

  async register(lease: string, { name, ...facts }: Member): Promise<boolean> {
    const key = this.#key(`members/${name}`);
    const put = { request_put: { key, value: encode(JSON.stringify(facts)), lease } };
    // A key that is missing has no lease, either.
    for (const before of [noLease, lease]) {
      const { succeeded, header, responses } = await this.#txn({
        compare: [{ key, target: 'LEASE', lease: before }],
        success: [put, { request_range: { key } }, { request_range: { key: this.#identity.key } }],
      });
      if (!succeeded) continue;
      const [own, identity] = (responses ?? []).slice(1).map((each) => each.response_range?.kvs?.[0]);
      const created = own?.create_revision ?? header.revision;
      this.#identity.noteRegistration({ key, lease, created }, header, identity);
      return true;
    }
    return false;
  }

  async claim(lease: string, member: string, shard: number): Promise<number | undefined> {
    const key = this.#key(`shards/${shard}`);
    const put = { request_put: { key, value: encode(JSON.stringify({ member })), lease } };
    const { revision, succeeded, responses } = await this.#batch({
      compare: [{ key, target: 'CREATE', create_revision: '0' }],
      success: [put],
      failure: [{ request_range: { key } }],
    });
    if (succeeded) return revision;
    const holder = responses?.[0]?.response_range?.kvs?.[0];
    if (holder !== undefined && Number(holder.lease ?? 0) === 0) {
      // Copied or written by hand: nobody would ever end it.
      await this.#txn({ compare: [{ key, target: 'LEASE', lease: noLease }], success: [deletion(key)] });
      return undefined;
    }
    if (holder?.lease !== lease) return undefined;
    // Somebody may have overwritten the value by hand: then the others do not know that the shard has an owner.
    if (holder.value !== put.request_put.value)
      await this.#txn({ compare: [{ key, target: 'LEASE', lease }], success: [put] });
    return Number(holder.create_revision);
  }

  async release(shard: number, epoch: number): Promise<void> {
    await this.#batch({ ...this.#guard(shard, epoch), success: [deletion(this.#key(`shards/${shard}`))] });
  }

  watch(listener: FleetListener): () => void {
    let isOver = false;
    let endStream: (() => void) | undefined;
    let timer: NodeJS.Timeout | undefined;
    let run = 0;
    const restart = (afterMs = 0) => {
      run++;
      endStream?.();
      endStream = undefined;
      clearTimeout(timer);
      if (!isOver) timer = setTimeout(() => void begin(run), afterMs);
    };
    const begin = async (current: number) => {
      try {
        const snapshot = await this.#readAll(() => !isOver && current === run);
        if (isOver || current !== run) return;
        listener.onSnapshot(snapshot);
        const create = { ...this.#watched(), start_revision: String(snapshot.revision + 1) };
        endStream = this.#client.watch(
          create,
          ({ header, events = [] }) => {
            if (current !== run) return;
            this.#identity.noteRevision(header);
            for (const event of events) {
              const change = toChange(this.#prefix, event.kv, event.type === 'DELETE');
              if (change !== undefined) listener.onChange(change);
            }
          },
          () => current === run && restart(watchAgainMs),
        );
        timer = setTimeout(() => restart(), readAgainMs);
      } catch (error) {
        if (isOver || current !== run) return;
        this.#onFailure(error);
        if (error instanceof OtherData) listener.onDoubt?.();
        restart(watchAgainMs);
      }
    };
    const end = () => {
      isOver = true;
      this.#watches.delete(end);
      restart();
    };
    this.#watches.set(end, { restart, renew: () => endStream && restart() });
    restart();
    return end;
  }

  async saveState(shard: number, epoch: number, state: Uint8Array): Promise<boolean> {
    const id = `${toDigits(epoch)}-${toDigits(++this.#saves)}`;
    // A request may arrive after a later one. Then it writes nothing.
    const newer = {
      key: this.#key(`state/${shard}/1/${id}~`),
      range_end: this.#key(`state/${shard}/2`),
      target: 'CREATE',
      create_revision: '0',
    };
    const guard = { compare: [...this.#guard(shard, epoch).compare, newer] };
    const chunks = Math.max(1, Math.ceil(state.length / chunkBytes));
    const put = (i: number) => ({
      request_put: {
        key: this.#key(`state/${shard}/1/${id}/${toDigits(i)}`),
        value: Buffer.from(state.subarray(i * chunkBytes, (i + 1) * chunkBytes)).toString('base64'),
      },
    });
    for (let i = 0; i < chunks - 1; i++) {
      const { succeeded } = await this.#txn({ ...guard, success: [put(i)] });
      if (!succeeded) return false;
    }
    const manifest: StateManifest = { epoch, id, chunks };
    const isSmall = chunks === 1 && state.length <= smallBytes;
    const parts = {
      ...guard,
      success: [
        put(chunks - 1),
        {
          request_put: { key: this.#key(`state/${shard}/0`), value: encode(JSON.stringify(manifest)) },
        },
        deletion(this.#key(`state/${shard}/1/`), this.#key(`state/${shard}/1/${id}`)),
      ],
    };
    const { succeeded } = await (isSmall ? this.#batch(parts) : this.#txn(parts));
    return succeeded === true;
  }

  async loadState(shard: number): Promise<SavedShard | undefined> {
    // The manifest and the first chunk, which is all there is of most states.
    const range = { key: this.#key(`state/${shard}/`), range_end: this.#key(`state/${shard}0`), limit: '2' };
    // The state may be replaced between two requests.
    for (let attempt = 0; attempt < 3; attempt++) {
      const { responses } = await this.#batch({ success: [{ request_range: range }] });
      const [manifest, first] = responses?.[0]?.response_range?.kvs ?? [];
      if (manifest?.value === undefined) return undefined;
      const { epoch, id, chunks } = JSON.parse(decode(manifest.value)) as StateManifest;
      const parts = [Buffer.from(first?.value ?? '', 'base64')];
      for (let i = 1; i < chunks; i++) {
        const key = this.#key(`state/${shard}/1/${id}/${toDigits(i)}`);
        const { kvs = [] } = await this.#client.ask<RangeAnswer>('/v3/kv/range', { key });
        if (kvs[0] === undefined) break;
        parts.push(Buffer.from(kvs[0].value ?? '', 'base64'));
      }
      if (parts.length === chunks) return { epoch, state: Buffer.concat(parts) };
    }
    return undefined;
  }

  async share(key: string, value: string | undefined): Promise<void> {
    const path = this.#key(`shared/${key}`);
    const isSmall = value === undefined || value.length <= smallBytes / 4;
    const parts = {
      success: [value === undefined ? deletion(path) : { request_put: { key: path, value: encode(value) } }],
    };
    await (isSmall ? this.#batch(parts) : this.#txn(parts));
  }

  saveContent(name: string, content: Uint8Array, kept: readonly string[]): Promise<void> {
    return this.#contents.save(name, content, kept);
  }

  loadContent(name: string): Promise<Uint8Array | undefined> {
    return this.#contents.load(name);
  }

  async close(): Promise<void> {
    for (const end of this.#watches.keys()) end();
    this.#client.close();
  }

  /** Rejects when the data is not the data whose identity is known. */
  async #readAll(isWanted: () => boolean): Promise<FleetSnapshot> {
    const [known, seen] = this.#identity.expected;
    const { header, responses } = await this.#txn({
      success: [{ request_range: { key: this.#identity.key } }, { request_range: this.#watched() }],
    });
    const [identified, watched] = (responses ?? []).map((each) => each.response_range?.kvs ?? []);
    const revision = Number(header.revision);
    if (isWanted() && !(await this.#identity.isStill(known, seen, header, identified?.[0])))
      throw new OtherData();
    const members = new Map<string, Member>();
    const claims = new Map<number, Claim>();
    const shared = new Map<string, string>();
    for (const entry of watched ?? []) {
      const change = toChange(this.#prefix, entry);
      // An entry without a lease is nobody's.
      if (change?.value === undefined) continue;
      if (change.kind === 'member') members.set(change.name, change.value);
      else if (change.kind === 'claim') claims.set(change.shard, change.value);
      else if (change.kind === 'shared') shared.set(change.key, change.value);
    }
    return { revision, members, claims, shared };
  }

  #txn(parts: Txn): Promise<TxnAnswer> {
    return txn(this.#client, parts);
  }

  /** Hundreds of claims come together: one request and one write of etcd's log for fifty of them. */
  #batch(parts: Txn): Promise<NestedAnswer> {
    return new Promise((resolve, reject) => {
      if (this.#waiting.length === 0) setImmediate(() => this.#sendBatches());
      this.#waiting.push({ parts, resolve, reject });
    });
  }

  #sendBatches(): void {
    const waiting = this.#waiting.splice(0);
    for (let from = 0; from < waiting.length; from += maxBatch) {
      const batch = waiting.slice(from, from + maxBatch);
      this.#txn({ success: batch.map(({ parts }) => ({ request_txn: withResults(parts) })) }).then(
        ({ header, responses = [] }) => {
          const revision = Number(header.revision);
          for (const [i, { resolve }] of batch.entries())
            resolve({ ...responses[i]?.response_txn, revision });
        },
        (error) => {
          for (const { reject } of batch) reject(error);
        },
      );
    }
  }

  /** Whether the shard still has the claim with this epoch. */
  #guard(shard: number, epoch: number) {
    const key = this.#key(`shards/${shard}`);
    return { compare: [{ key, target: 'CREATE', create_revision: String(epoch) }] };
  }

  #watched() {
    return { key: this.#key('members/'), range_end: this.#key('shared0') };
  }

  #key(path: string): string {
    return encode(`${this.#prefix}/${path}`);
  }
}

class OtherData extends Error {
  constructor() {
    super('etcd has other data than before');
  }
}

/** In the order of the keys, numbers are in their order too. */
function toDigits(value: number): string {
  return String(value).padStart(16, '0');
}

function deletion(key: string, rangeEnd?: string) {
  return { request_delete_range: { key, ...(rangeEnd === undefined ? {} : { range_end: rangeEnd }) } };
}
