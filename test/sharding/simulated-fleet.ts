import { setImmediate } from 'node:timers/promises';
import type { Coordinator, FleetChange, FleetListener } from '../../src/sharding/coordinator.ts';
import { MemoryStore } from '../../src/sharding/memory-coordinator.ts';
import { shardCount } from '../../src/sharding/shard.ts';
import { ShardOwner } from '../../src/sharding/shard-owner.ts';
import type { Clock } from '../../src/timing/clock.ts';
import { SimulatedClock } from '../support/simulated-clock.ts';

const leaseMs = 10_000;

/** The clock of a process that can be suspended: time passes, and its timers run when it continues. */
class ProcessClock implements Clock {
  isSuspended = false;
  readonly #clock: Clock;
  readonly #late: (() => void)[] = [];

  constructor(clock: Clock) {
    this.#clock = clock;
  }

  now = () => this.#clock.now();
  wallNow = () => this.#clock.wallNow();
  clearTimer = (timer: unknown) => this.#clock.clearTimer(timer);

  setTimer(run: () => void, afterMs: number): unknown {
    return this.#clock.setTimer(() => {
      if (this.isSuspended) this.#late.push(run);
      else run();
    }, afterMs);
  }

  /** Runs `run` now, or when the process continues. */
  whenAwake(run: () => void): void {
    if (this.isSuspended) this.#late.push(run);
    else run();
  }

  resume(): void {
    this.isSuspended = false;
    for (const run of this.#late.splice(0)) run();
  }
}

/** What is wrong between one member and the store. */
interface Link {
  isDown: boolean;
  /** Requests that take effect and whose replies are lost. */
  lostReplies: number;
  /** The longest time by which a request reaches the store late, and by which a reply comes late; they may overtake each other. */
  delayMs: number;
  /** The longest time by which a change is reported late; changes may overtake each other. */
  watchDelayMs: number;
  /** Ends the watch as a compaction of its revision does: changes are lost until the next snapshot. */
  compact(): void;
  /** Leads to another store from now on. */
  use(store: MemoryStore): void;
}

export interface SimulatedMember {
  readonly name: string;
  readonly owner: ShardOwner;
  readonly clock: ProcessClock;
  readonly link: Link;
  readonly lost: string[];
  /** How its parts lost shards, by `ownedUntilMs`, and gained them, by `isAgain`. */
  readonly told: (number | boolean | undefined)[];
  /** By shard: whether the state came from the owner just before. */
  readonly restored: Map<number, boolean>;
  isAlive: boolean;
}

/** Members of one store on a simulated clock, with everything that can go wrong between them. */
export class SimulatedFleet {
  readonly clock = new SimulatedClock();
  readonly store = new MemoryStore(this.clock, 'store');
  readonly members: SimulatedMember[] = [];
  /** Shards that two members owned at the same moment. */
  readonly doubled: string[] = [];
  readonly #random: () => number;
  /** States that are compressed on another thread, whose time the simulated clock does not know. */
  #compressing = 0;

  constructor(random: () => number) {
    this.#random = random;
  }

  add(name: string, { keepsOnOutage = false, weight = 1 } = {}): SimulatedMember {
    const clock = new ProcessClock(this.clock);
    const link: Link = { isDown: false, lostReplies: 0, delayMs: 0, watchDelayMs: 0, compact() {}, use() {} };
    const lost: string[] = [];
    const owner = new ShardOwner(
      this.#connect(link, clock),
      {
        member: { name, weight, address: undefined, version: '1' },
        leaseMs,
        movesPerSecond: 500,
        keepsOnOutage,
        saveEveryMs: 300_000,
        leaveWithinMs: 5_000,
      },
      clock,
      {
        mayUse: (identity) => identity === 'store',
        onGained() {},
        onLost: (_, why) => void lost.push(why),
        onMembers() {},
        onNameTaken() {},
        onDegraded() {},
        onProblem() {},
      },
    );
    const restored = new Map<number, boolean>();
    const told: (number | boolean | undefined)[] = [];
    let states = 0;
    owner.join({
      name: 'test',
      gain: (_, isAgain) => void told.push(isAgain),
      lose: (_, ownedUntilMs) => void told.push(ownedUntilMs),
      // Never the same twice, so that each is saved.
      collect: () => {
        this.#compressing++;
        return { of: name, count: ++states };
      },
      restore: (shard, _, isDirect) => void restored.set(shard, isDirect),
    });
    const member = { name, owner, clock, link, lost, told, restored, isAlive: true };
    this.members.push(member);
    owner.start();
    return member;
  }

  /** As kill -9 does: nothing of the process runs any more, and its lease stays. */
  kill(member: SimulatedMember): void {
    member.isAlive = false;
    member.clock.isSuspended = true;
  }

  async pass(ms: number): Promise<void> {
    for (let leftMs = ms; leftMs > 0; leftMs -= 100) {
      this.clock.pass(Math.min(100, leftMs));
      for (let turn = 0; turn < 2 || this.#compressing > 0; turn++) await setImmediate();
      this.#compareOwners();
    }
  }

  /** The owner of each shard; undefined where nobody asks. */
  owners(): (string | undefined)[] {
    return Array.from(
      { length: shardCount },
      (_, shard) => this.#awake().find(({ owner }) => owner.owns(shard))?.name,
    );
  }

  ownedBy(name: string): number {
    return this.owners().filter((owner) => owner === name).length;
  }

  async close(): Promise<void> {
    for (const { owner, clock } of this.members) {
      clock.resume();
      await owner.close();
    }
    this.store.close();
  }

  #awake(): SimulatedMember[] {
    return this.members.filter(({ isAlive, clock }) => isAlive && !clock.isSuspended);
  }

  #compareOwners(): void {
    const awake = this.#awake();
    for (let shard = 0; shard < shardCount; shard++) {
      const owners = awake.filter(({ owner }) => owner.owns(shard));
      if (owners.length > 1) this.doubled.push(`${shard}: ${owners.map(({ name }) => name).join(' and ')}`);
    }
  }

  #connect(link: Link, clock: ProcessClock): Coordinator {
    let direct = this.store.connect();
    let watch = () => () => {};
    let endWatch = () => {};
    link.use = (store) => {
      direct = store.connect();
      endWatch();
      // As a coordinator does that has found another identity.
      this.clock.setTimer(() => {
        endWatch = watch();
      }, leaseMs);
    };
    const delay = async () => {
      if (link.delayMs === 0) return;
      const ms = this.#random() * link.delayMs;
      await new Promise<void>((resolve) => void this.clock.setTimer(resolve, ms));
    };
    const ask = async <Value>(request: () => Promise<Value>): Promise<Value> => {
      if (link.isDown) throw new Error('the link is down');
      await delay();
      const value = await request();
      if (link.lostReplies > 0) {
        link.lostReplies--;
        throw new Error('the reply was lost');
      }
      await delay();
      // A reply to a suspended process waits in its socket.
      if (clock.isSuspended) await new Promise<void>((resolve) => clock.whenAwake(resolve));
      return value;
    };
    return {
      identify: () => ask(() => direct.identify()),
      grantLease: (ms) => ask(() => direct.grantLease(ms)),
      renewLease: (lease) => ask(() => direct.renewLease(lease)),
      revokeLease: (lease) => ask(() => direct.revokeLease(lease)),
      register: (lease, member) => ask(() => direct.register(lease, member)),
      claim: (lease, member, shard) => ask(() => direct.claim(lease, member, shard)),
      release: (shard, epoch) => ask(() => direct.release(shard, epoch)),
      saveState: (shard, epoch, state) => {
        this.#compressing--;
        return ask(() => direct.saveState(shard, epoch, state));
      },
      loadState: (shard) => ask(() => direct.loadState(shard)),
      share: (key, value) => ask(() => direct.share(key, value)),
      saveContent: (name, content, kept) => ask(() => direct.saveContent(name, content, kept)),
      loadContent: (name) => ask(() => direct.loadContent(name)),
      watch: (listener) => {
        watch = () => direct.watch(this.#delay(listener, link, clock));
        endWatch = watch();
        return () => endWatch();
      },
      close: () => direct.close(),
    };
  }

  /** While the link is down, changes are lost: the next report is a snapshot, as after a compaction. */
  #delay(listener: FleetListener, link: Link, clock: ProcessClock): FleetListener {
    let hasMissed = false;
    link.compact = () => {
      if (!hasMissed) this.#snapshotLater(listener, link, clock, () => (hasMissed = false));
      hasMissed = true;
    };
    const deliver = (change: FleetChange) => {
      if (link.isDown) link.compact();
      if (hasMissed) return;
      const delayMs = this.#random() * link.watchDelayMs;
      if (delayMs === 0) clock.whenAwake(() => listener.onChange(change));
      else this.clock.setTimer(() => clock.whenAwake(() => listener.onChange(change)), delayMs);
    };
    return { onSnapshot: (snapshot) => listener.onSnapshot(snapshot), onChange: deliver };
  }

  #snapshotLater(listener: FleetListener, link: Link, clock: ProcessClock, done: () => void): void {
    this.clock.setTimer(() => {
      if (link.isDown) {
        this.#snapshotLater(listener, link, clock, done);
        return;
      }
      done();
      const snapshot = this.store.snapshot();
      clock.whenAwake(() => listener.onSnapshot(snapshot));
    }, 500);
  }
}
