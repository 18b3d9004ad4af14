import { createHash, randomUUID } from 'node:crypto';
import { setTimeout as sleep } from 'node:timers/promises';
import { explainError, type Logger } from '../../../src/index.ts';
import type { Fleet } from '../../../src/sharding/index.ts';
import { loaderFailure } from '../loader-errors.ts';
import type { ApplyRequest, ApplyResult, MemberGeneration, RejectedApply } from '../service.ts';

/** What the members do with definitions, one step at a time. */
export interface FleetSteps {
  /** Reads and checks the files of this member. */
  pack(request: ApplyRequest): Promise<{ readonly packed: Uint8Array } | RejectedApply>;
  /** Packs the definitions that this member uses. */
  packInUse(): Promise<Uint8Array>;
  /** Checks a packed set. Resolves to the reason why this member cannot use it. */
  tryOut(packed: Uint8Array): Promise<string | undefined>;
  /** Switches to a packed set. */
  adopt(packed: Uint8Array, request: ApplyRequest): Promise<AdoptedApply>;
}

export interface AdoptedApply {
  readonly result: ApplyResult;
  readonly isLikeFiles: boolean;
}

/** Definitions for all members. The one in `current` counts. */
interface Revision {
  readonly id: string;
  /** The name of the packed set in the store. */
  readonly content: string;
  readonly forceRediscovery: boolean;
  readonly requestedBy: string;
}

/** What a member says about a revision. */
interface MemberNote {
  readonly id: string;
  readonly generation?: number;
  readonly changed?: boolean;
  readonly problem?: string;
}

const currentKey = 'definitions/current';
const proposedKey = 'definitions/proposed';
const readyKey = 'definitions/ready/';
const usedKey = 'definitions/used/';
const lookEveryMs = 20;
const readyWithinMs = 20_000;
const usedWithinMs = 20_000;
const retryMs = 1_000;
const maxRetryMs = 30_000;

/**
 * One apply for all members of a cluster. The member that is asked puts its files into the store and proposes them. When every member
 * has tried them out, one write makes them current, and every member switches. Before that write all stay, after it all switch, whichever member dies.
 */
export class FleetDefinitions {
  readonly #fleet: Fleet;
  readonly #steps: FleetSteps;
  readonly #log: Logger;
  readonly #leave: readonly (() => void)[];
  readonly #adopted = new Map<string, ApplyResult>();
  /** Proposals that this member has tried out since its start. */
  readonly #tried = new Set<string>();
  #usedId: string | undefined;
  #isAdopting = false;
  /** Ends the wait for the next attempt to switch. */
  #tryNow = new AbortController();
  #isClosed = false;
  /** Why the files of this member are not what the cluster uses. */
  difference: string | undefined;

  constructor(fleet: Fleet, steps: FleetSteps, log: Logger) {
    this.#fleet = fleet;
    this.#steps = steps;
    this.#log = log;
    this.#leave = [
      fleet.onShared(proposedKey, () => void this.#answerProposal()),
      fleet.onShared(currentKey, () => {
        this.#tryNow.abort();
        void this.#follow();
      }),
      fleet.onSnapshot(() => void this.#follow()),
    ];
  }

  close(): void {
    this.#isClosed = true;
    this.#tryNow.abort();
    for (const leave of this.#leave) leave();
  }

  async apply(request: ApplyRequest): Promise<ApplyResult> {
    const fleet = this.#fleet;
    if (fleet.identity === undefined || !fleet.members.has(fleet.name))
      throw loaderFailure('DEFINITIONS_CLUSTER_UNREACHABLE', { reason: 'this member is not in the cluster' });
    const own = await this.#steps.pack(request);
    if (!('packed' in own)) return own;
    const current = this.#read<Revision>(currentKey) ?? (await this.#saveInUse());
    const revision = revisionOf(own.packed, request);
    const kept = [current.content, this.#read<Revision>(proposedKey)?.content ?? []].flat();
    await this.#write(() => fleet.saveContent(revision.content, own.packed, kept));
    await this.#write(() => fleet.share(proposedKey, JSON.stringify(revision)));
    await this.#waitForReady(revision);
    await this.#write(() => fleet.share(currentKey, JSON.stringify(revision)));
    await this.#waitUntil(usedWithinMs, () =>
      this.#listMembers(revision).every(({ generation }) => generation),
    );
    const result = this.#adopted.get(revision.id);
    this.#adopted.clear();
    if (result === undefined)
      throw loaderFailure('DEFINITIONS_CLUSTER_UNREACHABLE', { reason: 'this member has not switched yet' });
    return result.accepted ? { ...result, members: this.#listMembers(revision) } : result;
  }

  /** Before the first apply: so that a member that starts during it takes the old definitions and not its files, which are new. */
  async #saveInUse(): Promise<Revision> {
    const packed = await this.#steps.packInUse();
    const revision = revisionOf(packed, { requestedBy: 'the first apply' });
    this.#usedId = revision.id;
    await this.#write(() => this.#fleet.saveContent(revision.content, packed, []));
    await this.#write(() => this.#fleet.share(currentKey, JSON.stringify(revision)));
    return revision;
  }

  /** Rejects unless every living member can use the revision. */
  async #waitForReady({ id }: Revision): Promise<void> {
    const notes = () =>
      Array.from(this.#fleet.members.keys(), (name) => ({
        name,
        note: this.#read<MemberNote>(readyKey + name),
      }));
    const isReady = await this.#waitUntil(readyWithinMs, () => {
      if (this.#read<Revision>(proposedKey)?.id !== id && this.#tried.has(id))
        throw loaderFailure('DEFINITIONS_CLUSTER_BUSY', {});
      for (const { name, note } of notes())
        if (note?.id === id && note.problem !== undefined)
          throw loaderFailure('DEFINITIONS_CLUSTER_REFUSED', { member: name, reason: note.problem });
      return notes().every(({ note }) => note?.id === id);
    });
    if (isReady) return;
    const silent = notes().find(({ note }) => note?.id !== id)!.name;
    throw loaderFailure('DEFINITIONS_CLUSTER_REFUSED', {
      member: silent,
      reason: `it did not answer within ${readyWithinMs / 1000} s`,
    });
  }

  #listMembers({ id }: Revision): MemberGeneration[] {
    return [...this.#fleet.members.keys()].sort().map((name) => {
      const note = this.#read<MemberNote>(usedKey + name);
      return note?.id === id && note.generation !== undefined
        ? { name, generation: note.generation, changed: note.changed === true }
        : { name };
    });
  }

  /** Whether it became true in time. */
  async #waitUntil(withinMs: number, isTrue: () => boolean): Promise<boolean> {
    for (const endMs = performance.now() + withinMs; !isTrue(); await sleep(lookEveryMs))
      if (performance.now() > endMs || this.#isClosed) return false;
    return true;
  }

  async #answerProposal(): Promise<void> {
    const proposed = this.#read<Revision>(proposedKey);
    if (proposed === undefined || this.#tried.has(proposed.id)) return;
    this.#tried.add(proposed.id);
    let problem: string | undefined;
    try {
      problem = await this.#steps.tryOut(await this.#load(proposed));
    } catch (error) {
      problem = explainError(error);
    }
    await this.#note(readyKey, { id: proposed.id, ...(problem === undefined ? {} : { problem }) });
  }

  /** Switches to the current revision, and repeats it until that succeeds: at once when there is another one, else more and more seldom. */
  async #follow(): Promise<void> {
    if (this.#isAdopting) return;
    this.#isAdopting = true;
    let waitMs = retryMs;
    for (let revision = this.#next(); revision !== undefined; revision = this.#next()) {
      const { id, forceRediscovery, requestedBy } = revision;
      try {
        // A member that starts later discovers what is new on its own.
        const request = { forceRediscovery: forceRediscovery && this.#tried.has(id), requestedBy };
        const { result, isLikeFiles } = await this.#steps.adopt(await this.#load(revision), request);
        this.#reportDifference(isLikeFiles);
        if (!result.accepted)
          this.#log.error({ revision: id }, 'The definitions of the cluster have errors here.');
        this.#usedId = id;
        this.#adopted.set(id, result);
        const changed = result.accepted && result.changed;
        await this.#note(usedKey, { id, generation: result.generation, changed });
      } catch (error) {
        if (this.#isClosed) break;
        this.#log.error({ error }, 'This member could not switch to the definitions of the cluster.');
        this.#tryNow = new AbortController();
        await sleep(waitMs, undefined, { ref: false, signal: this.#tryNow.signal }).catch(() => {});
        waitMs = Math.min(2 * waitMs, maxRetryMs);
      }
    }
    this.#isAdopting = false;
  }

  #next(): Revision | undefined {
    const current = this.#read<Revision>(currentKey);
    return this.#isClosed || current?.id === this.#usedId ? undefined : current;
  }

  #reportDifference(isLikeFiles: boolean): void {
    const before = this.difference;
    this.difference = isLikeFiles
      ? undefined
      : 'The definition files of this member are not those that the cluster uses. Copy the files, or apply here';
    if (this.difference !== undefined && before === undefined) this.#log.warn(`${this.difference}.`);
  }

  async #load({ content }: Revision): Promise<Uint8Array> {
    const packed = await this.#fleet.loadContent(content);
    if (packed === undefined || nameContent(packed) !== content)
      throw loaderFailure('DEFINITIONS_CLUSTER_INCOMPLETE', {});
    return packed;
  }

  async #note(key: string, note: MemberNote): Promise<void> {
    const isDone = () =>
      this.#fleet.share(key + this.#fleet.name, JSON.stringify(note)).then(
        () => true,
        () => false,
      );
    while (!this.#isClosed && !(await isDone())) await sleep(retryMs, undefined, { ref: false });
  }

  async #write(run: () => Promise<void>): Promise<void> {
    try {
      await run();
    } catch (error) {
      throw loaderFailure('DEFINITIONS_CLUSTER_UNREACHABLE', { reason: explainError(error) });
    }
  }

  #read<Value>(key: string): Value | undefined {
    const text = this.#fleet.shared.get(key);
    return text === undefined ? undefined : (JSON.parse(text) as Value);
  }
}

function revisionOf(packed: Uint8Array, { forceRediscovery = false, requestedBy }: ApplyRequest): Revision {
  return { id: randomUUID(), content: nameContent(packed), forceRediscovery, requestedBy };
}

function nameContent(packed: Uint8Array): string {
  return createHash('sha256').update(packed).digest('hex');
}
