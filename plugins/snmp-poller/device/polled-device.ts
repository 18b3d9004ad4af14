import { type Batch, deviceKey, type Inventory } from '../../../src/index.ts';
import { probePauseMs } from '../../../src/model/index.ts';
import type { Target } from '../../../src/snmp/index.ts';
import type { Device } from '../../device-registry/service.ts';
import type { ClientSession } from '../../snmp-client/service.ts';
import { type DeviceShape, shapeOf } from '../plan/device-shape.ts';
import type { ObjectSelection } from '../plan/object-selection.ts';
import type { SharedPlans } from '../plan/plan-cache.ts';
import { readsMore } from '../plan/reads-more.ts';
import type { PollTally } from '../poll-tally.ts';
import type { CounterState } from '../record/record-memory.ts';
import { exportCounters, type TableCounters } from '../record/table-counters.ts';
import type { DueSlot, SlotListener } from '../slot-schedule.ts';
import { nameInContext } from './context-name.ts';
import { CurrentSession } from './current-session.ts';
import { runPoll } from './device-poll.ts';
import { DeviceState } from './device-state.ts';
import { type DeviceSlot, type DeviceTools, toolsInContext } from './device-tools.ts';
import { PlanMemory } from './plan-memory.ts';
import { probeDevice } from './probe-device.ts';

/** What the plans were made from. The plans stay as long as none of it is replaced. */
interface PlanBasis {
  readonly inventory: Inventory;
  readonly settings: Device['settings'];
  readonly selection: string;
}

/** A table that a plan reads. */
interface PolledTable {
  readonly everyMs: number;
  readonly table: string;
}

/** What the collector needs that polls the device next. JSON. */
export interface ExportedPolls {
  /** When the first slot comes that was not polled here; negative when it has passed. */
  readonly slots: readonly { readonly everyMs: number; readonly inMs: number }[];
  readonly counters: readonly (PolledTable & TableCounters)[];
}

/** What another collector has left. */
export interface InheritedPolls {
  /** By interval, about when the first slot comes that nobody has polled. */
  readonly dueMs: ReadonlyMap<number, number>;
  readonly counters: readonly (PolledTable & { readonly counters: CounterState })[];
}

/** A device on the schedule, in one of its contexts: its plans, its slots, and the polls under way. */
export class PolledDevice implements SlotListener {
  readonly state: DeviceState;
  /** Set whenever something may have changed that plans depend on; looked at before the next poll at the latest. */
  isStale = true;
  readonly #tools: DeviceTools;
  readonly #slots = new Map<number, DeviceSlot>();
  readonly #running = new Map<number, Promise<readonly Batch[]>>();
  #basis: PlanBasis | undefined = undefined;
  #shared: SharedPlans | undefined = undefined;
  #preparing: Promise<void> | undefined = undefined;
  #lastRequestMs = Number.NEGATIVE_INFINITY;
  /** Of another collector, until there are plans. */
  #inherited: InheritedPolls | undefined = undefined;
  /** What was polled before this device was closed, and when it would have been polled next. */
  #closed: readonly { readonly memory: PlanMemory; readonly nextMs: number }[] = [];
  #isClosed = false;

  constructor(device: Device, tools: DeviceTools, context?: string) {
    this.#tools = context === undefined ? tools : toolsInContext(tools, context);
    const session = new CurrentSession((target) => this.#tools.open(target));
    this.state = new DeviceState(device, context, session);
  }

  get slots(): Iterable<DeviceSlot> {
    return this.#slots.values();
  }

  get underWay(): number {
    return this.#running.size;
  }

  get isHeld(): boolean {
    return !this.#tools.shards.owns(this.state.shard);
  }

  onSlot(everyMs: number, slot: DueSlot): void {
    if (this.#tools.isPaused()) {
      this.onSkipped(everyMs, 1);
      return;
    }
    this.#tools.lateness.add(slot.lateMs);
    this.state.lastLateMs = slot.lateMs;
    this.refresh();
    const memory = this.state.memories.get(everyMs);
    if (memory === undefined) return;
    if (this.#running.has(everyMs)) {
      this.#tally((tally) => tally.overruns++);
      return;
    }
    if (this.state.isSilent) this.#probe(memory);
    else void this.#poll(memory, slot);
  }

  onSkipped(everyMs: number, slots: number): void {
    this.#tally((tally) => {
      tally.skippedSlots += slots;
    });
    this.#hastenFirstPoll(everyMs);
  }

  /** Polls soon what was never read, for example because the device did not answer when the collector started. */
  hastenFirstPolls(): void {
    for (const everyMs of this.state.memories.keys()) this.#hastenFirstPoll(everyMs);
  }

  /** Resolves to false when there is nothing to poll. */
  async becomeReady(): Promise<boolean> {
    this.refresh();
    await this.#preparing;
    return this.state.memories.size > 0;
  }

  /** Runs all plans now. For plans whose poll is under way it waits for that poll instead. */
  async pollNow(): Promise<readonly Batch[]> {
    const slot = { slotMs: Math.round(this.#tools.clock.wallNow()), lateMs: 0 };
    const polls = [...this.state.memories.values()].map(
      (memory) => this.#running.get(memory.plan.everyMs) ?? this.#poll(memory, slot),
    );
    return (await Promise.all(polls)).flat();
  }

  /** Probes the device outside its schedule, or waits for what is under way instead. Never rejects. */
  async probeNow(): Promise<void> {
    const [memory] = this.state.memories.values();
    if (this.#running.size > 0) await Promise.all(this.#running.values());
    else if (memory !== undefined) await this.#sendProbe(memory.plan.everyMs);
  }

  /** Brings plans and slots up to date. Plans that stay keep their counters, labels and slots. */
  refresh(): void {
    if (!this.isStale || this.#isClosed) return;
    this.isStale = false;
    const { device } = this.state;
    const inventory = device.settings.enabled === false ? undefined : this.#tools.findInventory(device);
    if (inventory === undefined) {
      this.#replacePlans(undefined, undefined);
      return;
    }
    const selection = this.#tools.select(device.settings.device_groups ?? inventory.deviceGroups, inventory);
    const { settings } = device;
    const basis = { inventory, settings, selection: selection.key };
    const { inventory: known, settings: kept, selection: key } = this.#basis ?? {};
    const isSame = known === inventory && kept === settings && key === basis.selection;
    if (isSame) {
      if (this.#preparing === undefined) this.state.generation = this.#tools.generation();
      return;
    }
    this.#basis = basis;
    try {
      this.#renew(basis, selection);
    } catch (error) {
      this.#suspend(error);
    }
  }

  /** The first polls come when the other collector would have polled, and compare their counters with its last ones. */
  inherit(polls: InheritedPolls | undefined): void {
    this.#inherited = polls;
  }

  /** What the next owner needs, after the device is closed. */
  exportPolls(): ExportedPolls {
    const nowMs = this.#tools.clock.now();
    return {
      slots: this.#closed.map(({ memory, nextMs }) => ({
        everyMs: memory.plan.everyMs,
        inMs: Math.round(nextMs - nowMs),
      })),
      counters: this.#closed.flatMap(({ memory: { plan, records } }) =>
        records.flatMap(({ plan: { counters: count, table }, counters }) =>
          count === 0 || counters === undefined
            ? []
            : { everyMs: plan.everyMs, table, ...exportCounters(counters, nowMs) },
        ),
      ),
    };
  }

  /** Counts the slots that were due up to this time and did not come. */
  skipUntil(untilMs: number): void {
    for (const slot of this.#slots.values()) slot.skipUntil(untilMs);
  }

  /** Starts no more polls, and resolves when the polls under way have ended. */
  async close(): Promise<void> {
    this.#isClosed = true;
    this.#closed = [...this.#slots.values()].map(({ everyMs, nextMs }) => {
      return { memory: this.state.memories.get(everyMs)!, nextMs };
    });
    this.#replacePlans(undefined, undefined);
    await Promise.all(this.#running.values());
    this.cut();
  }

  /** Ends what is under way: values that have not come by now are missing. */
  cut(): void {
    this.state.session.cut();
  }

  #renew(basis: PlanBasis, selection: ObjectSelection): void {
    const { device } = this.state;
    const { inventory } = basis;
    this.#preparing = undefined;
    const targets = this.#tools.getTargets(device, inventory.address);
    // Until a discovery finds which credential answers, a new list of credentials does not replace the one in use.
    const kept = inventory === this.state.inventory ? this.state.session.findSame(targets) : undefined;
    const target = kept ?? targets[inventory.credential];
    if (target === undefined) {
      this.#replacePlans(undefined, undefined);
      return;
    }
    const shape = shapeOf(device.settings, inventory, target, selection);
    if (this.#shared?.key === shape.key) {
      this.state.session.use(target, this.#running.values());
      if (this.state.inventory?.version !== inventory.version) {
        for (const memory of this.state.memories.values()) {
          memory.rereadForeign();
          memory.absent.forget();
        }
      }
      this.state.inventory = inventory;
      this.state.generation = this.#tools.generation();
      return;
    }
    const shared = this.#tools.plans.acquire(shape);
    if (shared !== undefined) this.#adopt(shared, target, inventory);
    else this.#preparing = this.#prepare(shape, target, basis).catch((error) => this.#suspend(error));
  }

  /** Compiling plans for long tables takes time. Until then the old plans stay in use, with their target. */
  async #prepare(shape: DeviceShape, target: Target, basis: PlanBasis): Promise<void> {
    const generation = this.#tools.generation();
    const shared = await this.#tools.plans.prepare(shape);
    if (this.#basis !== basis) {
      this.#tools.plans.release(shared);
      return;
    }
    this.#preparing = undefined;
    this.#adopt(shared, target, basis.inventory);
    this.state.generation = generation;
    this.isStale = true;
  }

  #adopt(shared: SharedPlans, target: Target, inventory: Inventory): void {
    this.state.session.use(target, this.#running.values());
    this.#replacePlans(shared, inventory);
  }

  /** For a secret that cannot be resolved, or an inventory without a usable target: the device waits until something changes. */
  #suspend(error: unknown): void {
    this.#tools.log.error({ device: this.state.device.ref.name, error }, 'Device cannot be polled.');
    this.#replacePlans(undefined, undefined);
  }

  #replacePlans(shared: SharedPlans | undefined, inventory: Inventory | undefined): void {
    const plans = shared?.plans ?? [];
    if (shared === undefined) this.#basis = undefined;
    this.state.generation = this.#tools.generation();
    if (this.#shared !== undefined) this.#tools.plans.release(this.#shared);
    this.#shared = shared;
    this.state.inventory = inventory;
    const before = new Map(this.state.memories);
    this.state.memories.clear();
    for (const plan of plans)
      this.state.memories.set(plan.everyMs, new PlanMemory(plan, before.get(plan.everyMs)));
    const inherited = plans.length > 0 ? this.#useInherited() : undefined;
    for (const [everyMs, slot] of this.#slots) {
      if (this.state.memories.has(everyMs)) continue;
      slot.close();
      this.#slots.delete(everyMs);
    }
    const name = nameInContext(deviceKey(this.state.device.ref), this.state.context);
    for (const [everyMs, { plan }] of this.state.memories) {
      const dueMs = inherited?.dueMs.get(everyMs);
      const slot = this.#slots.get(everyMs) ?? this.#tools.schedule.open(name, everyMs, this, dueMs);
      this.#slots.set(everyMs, slot);
      if (dueMs === undefined && readsMore(plan, before.get(everyMs)?.plan)) slot.hasten();
    }
  }

  #useInherited(): InheritedPolls | undefined {
    const inherited = this.#inherited;
    for (const { everyMs, table, counters } of inherited?.counters ?? []) {
      const record = this.state.memories.get(everyMs)?.records.find(({ plan }) => plan.table === table);
      if (record !== undefined) record.counters ??= counters;
    }
    this.#inherited = undefined;
    return inherited;
  }

  #hastenFirstPoll(everyMs: number): void {
    const wasRead = this.state.memories.get(everyMs)?.hasValues ?? true;
    if (!wasRead && !this.#running.has(everyMs)) this.#slots.get(everyMs)?.hasten();
  }

  #poll(memory: PlanMemory, slot: DueSlot): Promise<readonly Batch[]> {
    const { everyMs } = memory.plan;
    this.#lastRequestMs = this.#tools.clock.now();
    const poll = runPoll(this.state, memory, slot, this.#tools)
      .catch((error): readonly Batch[] => {
        this.#tools.log.error({ device: this.state.device.ref.name, error }, 'Poll failed.');
        this.state.session.retire(this.#running.values());
        return [];
      })
      .finally(() => {
        this.#running.delete(everyMs);
        const current = this.state.memories.get(everyMs);
        if (current !== memory) current?.inherit(memory);
      });
    this.#running.set(everyMs, poll);
    return poll;
  }

  /** A silent device gets one small request instead of its polls, at the shortest of its intervals. */
  #probe(memory: PlanMemory): void {
    const { everyMs, slots } = memory.plan;
    this.#tally((tally) => tally.addDown(slots));
    if (this.#running.size > 0 || everyMs !== Math.min(...this.state.memories.keys())) return;
    const nowMs = this.#tools.clock.now();
    const pauseMs = probePauseMs(this.state.device.status, everyMs) ?? 0;
    // Slots may be slightly early or late: half an interval is enough to tell them apart.
    if (nowMs - this.#lastRequestMs < pauseMs - everyMs / 2) return;
    void this.#sendProbe(everyMs);
  }

  #sendProbe(everyMs: number): Promise<unknown> {
    this.#lastRequestMs = this.#tools.clock.now();
    this.#tally((tally) => tally.probes++);
    const openSession = () => this.#openWithFreshSecrets();
    const probe = probeDevice(this.state, openSession, 0.8 * everyMs, this.#tools).then(() => []);
    this.#running.set(everyMs, probe);
    return probe.finally(() => this.#running.delete(everyMs));
  }

  /** Re-reads the secrets: the device may be silent because its secret was rotated. Rejects when a secret is gone. */
  async #openWithFreshSecrets(): Promise<ClientSession> {
    const { device, inventory, session } = this.state;
    if (inventory !== undefined && this.#preparing === undefined) {
      const targets = this.#tools.getTargets(device, inventory.address);
      if (session.findSame(targets) === undefined) {
        this.#basis = undefined;
        this.isStale = true;
        this.refresh();
      }
    }
    return session.get();
  }

  #tally(count: (tally: PollTally) => void): void {
    count(this.state.tally);
    count(this.#tools.tally);
  }
}
