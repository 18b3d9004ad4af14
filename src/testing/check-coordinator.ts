import { randomBytes } from 'node:crypto';
import { setTimeout as sleep } from 'node:timers/promises';
import { explainError } from '../kernel/errors.ts';
import type { Coordinator, Member } from '../sharding/coordinator.ts';
import { FleetView } from '../sharding/fleet-view.ts';

export interface CheckCoordinatorOptions {
  /** Connects one more member to the same store, which is empty at first. */
  readonly connect: () => Coordinator | Promise<Coordinator>;
  /** The shortest lease that the store knows; 2,000 ms by default. */
  readonly leaseMs?: number;
  /** How long a change may take to reach the other members; 2,000 ms by default. */
  readonly reportWithinMs?: number;
  /** Lets time pass, for a store with a clock of its own. */
  readonly wait?: (ms: number) => Promise<unknown>;
}

interface Pair {
  readonly one: Coordinator;
  readonly two: Coordinator;
  readonly leaseMs: number;
  readonly wait: (ms: number) => Promise<unknown>;
  /** Waits until `claim` is true; fails when that takes longer than a report may. */
  reaches(claim: () => boolean, what: string): Promise<void>;
  grant(of: Coordinator): Promise<string>;
}

const stepMs = 10;

type Check = (pair: Pair) => Promise<void>;

/**
 * Checks that a coordinator keeps its contract: two members never have the same claim, epochs grow, everything of a lease ends with
 * it, and reports arrive. Rejects with one report of every fault.
 */
export async function checkCoordinator(options: CheckCoordinatorOptions): Promise<void> {
  const { connect, leaseMs = 2_000, reportWithinMs = 2_000, wait = sleep } = options;
  const [one, two] = [await connect(), await connect()];
  const leases: string[] = [];
  const pair: Pair = {
    one,
    two,
    leaseMs,
    wait,
    async reaches(claim, what) {
      for (let waitedMs = 0; !claim(); waitedMs += stepMs) {
        if (waitedMs >= reportWithinMs) throw new Error(what);
        await wait(stepMs);
      }
    },
    async grant(of) {
      const lease = await of.grantLease(leaseMs);
      leases.push(lease);
      return lease;
    },
  };
  const faults: string[] = [];
  try {
    for (const [title, check] of Object.entries(checks)) {
      try {
        await check(pair);
      } catch (error) {
        faults.push(`${title}: ${explainError(error)}`);
      }
      for (const lease of leases.splice(0)) await one.revokeLease(lease).catch(() => {});
    }
  } finally {
    await Promise.all([one.close(), two.close()]);
  }
  if (faults.length > 0)
    throw new Error(
      `The coordinator breaks its contract:\n${faults.map((fault) => `  - ${fault}`).join('\n')}`,
    );
}

const checks: Readonly<Record<string, Check>> = {
  async 'the identity'({ one, two }) {
    expect((await one.identify()) === (await two.identify()), 'two connections see different stores');
  },

  async 'a claim'({ one, two, grant }) {
    const [first, second] = [await grant(one), await grant(two)];
    const epoch = await one.claim(first, 'one', 7);
    expect(epoch !== undefined && epoch > 0, 'the first claim of a free shard fails');
    expect((await two.claim(second, 'two', 7)) === undefined, 'two members claim the same shard');
    expect((await one.claim(first, 'one', 7)) === epoch, 'a repeated claim has another epoch');
    await two.release(7, epoch! + 1);
    expect((await two.claim(second, 'two', 7)) === undefined, 'a release with another epoch ends the claim');
    await one.release(7, epoch!);
    const later = await two.claim(second, 'two', 7);
    expect(later !== undefined && later > epoch!, 'the epoch of a later claim is not higher');
    await one.release(7, epoch!);
    expect(
      (await one.claim(first, 'one', 7)) === undefined,
      'a repeated release ends the claim of another member',
    );
  },

  async 'claims at the same moment'({ one, two, grant }) {
    const [first, second] = [await grant(one), await grant(two)];
    const shards = Array.from({ length: 20 }, (_, i) => 100 + i);
    const won = await Promise.all(
      shards.map((shard) => Promise.all([one.claim(first, 'one', shard), two.claim(second, 'two', shard)])),
    );
    expect(
      won.every(([a, b]) => (a === undefined) !== (b === undefined)),
      'of two claims at the same moment not exactly one succeeds',
    );
  },

  async 'a name'({ one, two, grant }) {
    const [first, second] = [await grant(one), await grant(two)];
    expect(await one.register(first, member('same')), 'a free name is refused');
    expect(await one.register(first, { ...member('same'), weight: 2 }), 'a member cannot change');
    expect(!(await two.register(second, member('same'))), 'two leases have the same name');
  },

  async 'the end of a lease'({ one, two, grant, reaches, leaseMs, wait }) {
    const view = new FleetView(() => {});
    const end = two.watch(view);
    const lease = await grant(one);
    await one.register(lease, member('short'));
    const epoch = await one.claim(lease, 'short', 9);
    await reaches(
      () => view.members.has('short') && view.claims.get(9)?.epoch === epoch,
      'claims are not reported',
    );
    for (let renewal = 0; renewal < 4; renewal++) {
      await wait(leaseMs / 3);
      expect(await one.renewLease(lease), 'a lease ends although it is renewed');
    }
    expect(view.claims.get(9)?.epoch === epoch, 'a claim ends although its lease is renewed');
    await wait(leaseMs);
    await reaches(
      () => !view.members.has('short') && !view.claims.has(9),
      'a lease that is not renewed does not end',
    );
    expect(!(await one.renewLease(lease)), 'a lease that has ended is renewed');
    const late = await one.claim(lease, 'short', 9).catch(() => undefined);
    expect(late === undefined, 'a lease that has ended claims a shard');
    end();
  },

  async reports({ one, two, grant, reaches }) {
    const revisions: number[] = [];
    let snapshots = 0;
    const view = new FleetView(() => {});
    const end = two.watch({
      onSnapshot(snapshot) {
        snapshots++;
        view.onSnapshot(snapshot);
      },
      onChange(change) {
        if (snapshots === 0) revisions.push(Number.NaN);
        revisions.push(change.revision);
        view.onChange(change);
      },
    });
    await reaches(() => view.isKnown, 'no snapshot is reported');
    const lease = await grant(one);
    await one.register(lease, member('seen'));
    const epoch = await one.claim(lease, 'seen', 11);
    await one.share('some/key', 'some value');
    const isComplete = () =>
      view.members.has('seen') &&
      view.claims.get(11)?.epoch === epoch &&
      view.shared.get('some/key') === 'some value';
    await reaches(isComplete, 'a member, a claim or a shared value is not reported');
    expect(view.claims.get(11)?.lease === lease, 'a claim is reported with another lease');
    await one.revokeLease(lease);
    await one.share('some/key', undefined);
    await reaches(
      () => !view.members.has('seen') && !view.claims.has(11) && !view.shared.has('some/key'),
      'the end of a member, a claim or a shared value is not reported',
    );
    expect(revisions.every(Number.isFinite), 'a change is reported before the first snapshot');
    end();
  },

  async contents({ one, two }) {
    const large = randomBytes(1_500_000);
    await one.saveContent('large', large, []);
    const loaded = await two.loadContent('large');
    expect(loaded !== undefined && large.equals(loaded), 'a content is not the one that was saved');
    await two.saveContent('small', Buffer.from('small'), ['large']);
    expect((await one.loadContent('large')) !== undefined, 'a content that is to be kept is gone');
    await two.saveContent('small', Buffer.from('small'), []);
    expect((await one.loadContent('large')) === undefined, 'a content that nobody needs is not removed');
  },

  async 'a state'({ one, two, grant }) {
    const [first, second] = [await grant(one), await grant(two)];
    const state = Buffer.from(Array.from({ length: 700_000 }, (_, i) => (i * 31) & 255));
    const epoch = (await one.claim(first, 'one', 13))!;
    expect(await one.saveState(13, epoch, state), 'the owner cannot save a state');
    const loaded = await two.loadState(13);
    expect(loaded !== undefined && state.equals(loaded.state), 'a state is read with other content');
    expect(loaded?.epoch === epoch, 'a state is read with another epoch');
    await one.release(13, epoch);
    const later = (await two.claim(second, 'two', 13))!;
    expect(!(await one.saveState(13, epoch, Buffer.from('old'))), 'a former owner overwrites the state');
    expect(state.equals((await two.loadState(13))!.state), 'a former owner overwrites the state');
    expect(await two.saveState(13, later, Buffer.from('new')), 'the next owner cannot save a state');
    const { state: newest, epoch: by } = (await one.loadState(13))!;
    expect(Buffer.from(newest).toString() === 'new' && by === later, 'a state is not replaced');
    expect((await one.loadState(14)) === undefined, 'a shard without a state has one');
  },
};

function member(name: string): Member {
  return { name, weight: 1, address: undefined, version: '1' };
}

function expect(claim: boolean | undefined, fault: string): void {
  if (!claim) throw new Error(fault);
}
