import { randomUUID } from 'node:crypto';
import type { EtcdClient, EtcdEntry, EtcdHeader } from './etcd-client.ts';
import { beginningOf, identityOf, storedIdentity } from './etcd-entries.ts';
import { encode, type RangeAnswer, txn } from './etcd-txn.ts';

/** The registration of this member. Nobody else has its lease, so data that has it is the data that this member uses. */
interface Proof {
  readonly key: string;
  readonly lease: string;
  readonly created: string;
}

/** At the end of the value that a restored backup gets. */
const restoredMark = '-restored';

/** Knows by the key `cluster` whether etcd has the data that this member uses. */
export class EtcdIdentity {
  readonly #client: EtcdClient;
  readonly #prefix: string;
  readonly #leaseMs: number;
  #known: string | undefined = undefined;
  /** The highest one that the data with this identity has shown. */
  #revision = 0;
  /** What was read is not the data with the identity that is known: the lease of such data says nothing. */
  #isDoubtful = false;
  /** The data has the same identity and an older revision. */
  #isRestored = false;
  #proof: Proof | undefined = undefined;
  /** Of the data that this process has used. */
  #highestEpoch = 0;

  constructor(client: EtcdClient, prefix: string, leaseMs: number) {
    this.#client = client;
    this.#prefix = prefix;
    this.#leaseMs = leaseMs;
  }

  get key(): string {
    return this.#key('cluster');
  }

  /** Resolves to the identity of the data, which is written when it is missing, and to whether it is another one than before. */
  async identify(): Promise<{ readonly identity: string; readonly isOther: boolean }> {
    // The reply to a later request may overtake this one.
    const seen = this.#revision;
    const { header, entry } = await this.#read();
    if (entry === undefined) {
      if (!(await this.#putBack(header, entry))) await this.#create();
      return this.identify();
    }
    const identity = identityOf(header, entry);
    const isOther = this.#known !== undefined && this.#known !== identity;
    if (isOther && (await this.#putBack(header, entry))) return this.identify();
    const revision = Number(header.revision);
    if (!isOther && (revision < seen || this.#isRestored)) {
      // A restored backup may have the same identity, and would give epochs again. All members see the new one.
      const restored = { request_put: { key: this.key, value: encode(this.newValue() + restoredMark) } };
      await txn(this.#client, { compare: [this.#has(entry)], success: [restored] });
      this.#isRestored = false;
      return this.identify();
    }
    this.#revision = isOther ? revision : Math.max(this.#revision, revision);
    this.#known = identity;
    this.#isDoubtful = false;
    if (isOther) this.#isRestored = false;
    return { identity, isOther };
  }

  /** Whether etcd still has the data that is known: false from the moment when it had not, until `identify` was called. */
  async confirm(): Promise<boolean> {
    const [known, seen] = [this.#known, this.#revision];
    const { header, entry } = await this.#read();
    return (await this.isStill(known, seen, header, entry)) && !this.#isDoubtful;
  }

  /** The identity and the revision that an answer is compared with. */
  get expected(): readonly [known: string | undefined, seen: number] {
    return [this.#known, this.#revision];
  }

  /** Judges an answer by what was expected when its request was sent. */
  async isStill(
    known: string | undefined,
    seen: number,
    header: EtcdHeader,
    entry: EtcdEntry | undefined,
  ): Promise<boolean> {
    const revision = Number(header.revision);
    if (known !== undefined && known === this.#known) {
      const isSame = identityOf(header, entry) === known;
      if (revision < seen || (!isSame && !(await this.#putBack(header, entry)))) {
        this.#isDoubtful = true;
        this.#isRestored = isSame;
        this.#client.useNext();
        return false;
      }
    }
    // The revision of other data says nothing about that of the known ones.
    if (known === this.#known) this.#revision = Math.max(this.#revision, revision);
    if (this.#proof !== undefined) this.#noteEpoch();
    return true;
  }

  /** A watch has shown a revision. */
  noteRevision({ cluster_id: id, revision }: EtcdHeader): void {
    if (this.#known?.startsWith(`${id}/`)) this.#revision = Math.max(this.#revision, Number(revision));
  }

  /** The member was registered with a request that has read the identity, too. */
  noteRegistration(proof: Proof, header: EtcdHeader, entry: EtcdEntry | undefined): void {
    const isKnown = identityOf(header, entry) === this.#known;
    this.#proof = isKnown ? proof : undefined;
    if (!isKnown) return;
    this.#revision = Math.max(this.#revision, Number(header.revision));
    this.#noteEpoch();
  }

  /** Whether epochs of this data are higher than those that this process has seen. */
  isHigher(identity: string): boolean {
    return beginningOf(identity) > this.#highestEpoch;
  }

  /** Epochs of data that begins with this value are higher than those that this process has seen. */
  newValue(): string {
    return `${Math.max(Date.now(), this.#highestEpoch + 1)}-${randomUUID()}`;
  }

  #noteEpoch(): void {
    this.#highestEpoch = Math.max(this.#highestEpoch, beginningOf(this.#known!) + this.#revision);
  }

  /**
   * Writes the key that was deleted or overwritten, if etcd has the rest of the data. Who has used the wrong value meanwhile learns
   * which one follows it, and does not write its own again.
   */
  async #putBack(header: EtcdHeader, entry: EtcdEntry | undefined): Promise<boolean> {
    const [known, proof] = [this.#known, this.#proof];
    if (known === undefined || proof === undefined || this.#isDoubtful) return false;
    const isForeign = Number(header.revision) < this.#revision || !known.startsWith(`${header.cluster_id}/`);
    if (isForeign || (entry !== undefined && isRestored(identityOf(header, entry)))) return false;
    const value = encode(storedIdentity(known));
    const put = [{ request_put: { key: this.key, value } }];
    if (entry !== undefined) {
      const key = this.#key(`successors/${identityOf(header, entry)}`);
      put.push({ request_put: { key, value } });
    }
    const answer = await txn(this.#client, {
      compare: [
        { key: proof.key, target: 'LEASE', lease: proof.lease },
        { key: proof.key, target: 'CREATE', create_revision: proof.created },
        { key: this.#key(`successors/${known}`), target: 'CREATE', create_revision: '0' },
        this.#has(entry),
      ],
      success: put,
      failure: [{ request_range: { key: this.key } }],
    });
    // Another member may have written it first.
    const present = answer.responses?.[0]?.response_range?.kvs?.[0];
    return answer.succeeded === true || identityOf(answer.header, present) === known;
  }

  /** Until `young` ends, a member that etcd cannot reach may trust its lease of data in the place of which this one is. */
  async #create(): Promise<void> {
    const TTL = String(Math.ceil(this.#leaseMs / 1000));
    const { ID: lease } = await this.#client.ask<{ ID: string }>('/v3/lease/grant', { TTL });
    await txn(this.#client, {
      compare: [this.#has(undefined)],
      success: [
        { request_put: { key: this.key, value: encode(this.newValue()) } },
        { request_put: { key: this.#key('young'), value: '', lease } },
      ],
    });
  }

  /** Not with a transaction: an etcd without space may refuse them all. */
  async #read() {
    const { header, kvs } = await this.#client.ask<RangeAnswer>('/v3/kv/range', { key: this.key });
    return { header, entry: kvs?.[0] };
  }

  /** A comparison: the key is as it was read. */
  #has(entry: EtcdEntry | undefined) {
    return entry === undefined
      ? { key: this.key, target: 'CREATE', create_revision: '0' }
      : { key: this.key, target: 'MOD', mod_revision: entry.mod_revision };
  }

  #key(path: string): string {
    return encode(`${this.#prefix}/${path}`);
  }
}

export function isRestored(identity: string): boolean {
  return identity.endsWith(restoredMark);
}
