import { type Batch, deviceKey, type Inventory } from '../../../src/index.ts';
import { probePauseMs } from '../../../src/internal.ts';
import type { Target } from '../../../src/snmp/index.ts';
import type { Device } from '../../device-registry/service.ts';
import type { ClientSession } from '../../snmp-client/service.ts';
import type { DeviceTime } from '../counter/device-time.ts';
import { type DeviceShape, shapeOf } from '../plan/device-shape.ts';
import type { ObjectSelection } from '../plan/object-selection.ts';
import type { SharedPlans } from '../plan/plan-cache.ts';
import { nameInContext } from '../reading/context-name.ts';
import { toolsInContext } from '../reading/further-context.ts';
import { SessionKeeper } from '../reading/session-keeper.ts';
import type { DueSlot, OpenSlot, SlotListener } from '../schedule/slot-schedule.ts';
import { PollTally } from '../tally/poll-tally.ts';
import type { DeviceTools } from './device-tools.ts';
import { PlanMemory } from './plan-memory.ts';
import { pollPlan } from './poll-plan-once.ts';
import { probeDevice } from './probe-device.ts';
import { WatchedValues } from './watched-values.ts';
import { WayNotes } from './way-notes.ts';

/** What its plans were made from: as long as none of it is another, the plans stay. */
interface PlanBasis {
  readonly inventory: Inventory;
  readonly settings: Device['settings'];
  readonly selection: string;
}

/** A device on the schedule: its plans, what they remember, and what is under way. */
export class PolledDevice implements SlotListener {
  readonly device: Device;
  /** One of the device's further contexts; undefined for the one that speaks for the device. */
  readonly context: string | undefined;
  readonly tally = new PollTally();
  readonly watched = new WatchedValues();
  readonly way = new WayNotes();
  lastDurationMs = 0;
  lastPollMs = 0;
  lastLateMs = 0;
  /** When the device was last heard by its own clock. */
  time: DeviceTime | undefined = undefined;
  inventory: Inventory | undefined = undefined;
  /** The definitions that its plans were made by, or that would make the same ones. */
  generation = 0;
  /** Set whenever something may have changed that plans depend on; looked at before the next poll at the latest. */
  isStale = true;
  readonly #tools: DeviceTools;
  readonly #memories = new Map<number, PlanMemory>();
  readonly #slots = new Map<number, OpenSlot>();
  readonly #running = new Map<number, Promise<readonly Batch[]>>();
  readonly #sessions: SessionKeeper;
  #basis: PlanBasis | undefined = undefined;
  #shared: SharedPlans | undefined = undefined;
  #preparing: Promise<void> | undefined = undefined;
  #askedMs = Number.NEGATIVE_INFINITY;
  #isClosed = false;

  constructor(device: Device, tools: DeviceTools, context?: string) {
    this.device = device;
    this.context = context;
    this.#tools = context === undefined ? tools : toolsInContext(tools, context);
    this.#sessions = new SessionKeeper((target) => this.#tools.open(target));
  }

  get memories(): Iterable<PlanMemory> {
    return this.#memories.values();
  }

  get slots(): Iterable<OpenSlot> {
    return this.#slots.values();
  }

  get underWay(): number {
    return this.#running.size;
  }

  onSlot(everyMs: number, slot: DueSlot): void {
    if (this.#tools.isPaused()) {
      this.onSkipped(1);
      return;
    }
    this.#tools.lateness.add(slot.lateMs);
    this.lastLateMs = slot.lateMs;
    this.refresh();
    const memory = this.#memories.get(everyMs);
    if (memory === undefined) return;
    if (this.#running.has(everyMs)) {
      this.#tally((tally) => tally.overruns++);
      return;
    }
    if (this.isSilent) this.#probe(memory);
    else void this.#poll(memory, slot);
  }

  onSkipped(slots: number): void {
    this.#tally((tally) => {
      tally.skippedSlots += slots;
    });
  }

  /** False when there is nothing to be polled. */
  async becomeReady(): Promise<boolean> {
    this.refresh();
    await this.#preparing;
    return this.#memories.size > 0;
  }

  /** Polls all plans now; those under way are waited for instead. */
  async pollNow(): Promise<readonly Batch[]> {
    const slot = { slotMs: Math.round(this.#tools.clock.wallNow()), lateMs: 0 };
    const polls = [...this.#memories.values()].map(
      (memory) => this.#running.get(memory.plan.everyMs) ?? this.#poll(memory, slot),
    );
    return (await Promise.all(polls)).flat();
  }

  /** Whether it is only asked if it is there. */
  get isSilent(): boolean {
    const { state } = this.device.status;
    return state === 'suspect' || state === 'down';
  }

  /** Asks it whether it is there, out of turn; what is under way is waited for instead. Never rejects. */
  async probeNow(): Promise<void> {
    const [memory] = this.#memories.values();
    if (this.#running.size > 0) await Promise.all(this.#running.values());
    else if (memory !== undefined) await this.#sendProbe(memory.plan.everyMs);
  }

  /** Brings plans and slots up to date. What is polled already keeps its counters, its labels and its slots. */
  refresh(): void {
    if (!this.isStale || this.#isClosed) return;
    this.isStale = false;
    const { device } = this;
    const inventory = device.settings.enabled === false ? undefined : this.#tools.findInventory(device);
    if (inventory === undefined) {
      this.#replacePlans(undefined, undefined);
      return;
    }
    const selection = this.#tools.select(device.settings.device_groups ?? inventory.deviceGroups);
    const { settings } = device;
    const basis = { inventory, settings, selection: selection.key };
    const { inventory: known, settings: kept, selection: key } = this.#basis ?? {};
    const isSame = known === inventory && kept === settings && key === basis.selection;
    if (isSame) {
      if (this.#preparing === undefined) this.generation = this.#tools.generation();
      return;
    }
    this.#basis = basis;
    try {
      this.#renew(basis, selection);
    } catch (error) {
      this.#giveUp(error);
    }
  }

  /** Falls silent at once; a poll under way ends by itself and is the last. */
  async close(): Promise<void> {
    this.#isClosed = true;
    this.#replacePlans(undefined, undefined);
    await Promise.all(this.#running.values());
    this.cut();
  }

  /** Ends what is under way: what has not come by now is missing. */
  cut(): void {
    this.#sessions.cut();
  }

  /** The session to ask it with; opened when it is first needed. */
  openSession(): Promise<ClientSession> {
    return this.#sessions.get();
  }

  /** A secret that stands in a file may be another one by now, which would explain a silence. Throws when one is gone. */
  readSecretsAgain(): void {
    if (this.inventory === undefined || this.#preparing !== undefined) return;
    const targets = this.#tools.getTargets(this.device, this.inventory.address);
    if (this.#sessions.findSame(targets) !== undefined) return;
    this.#basis = undefined;
    this.isStale = true;
    this.refresh();
  }

  #renew(basis: PlanBasis, selection: ObjectSelection): void {
    const { device } = this;
    const { inventory } = basis;
    this.#preparing = undefined;
    const targets = this.#tools.getTargets(device, inventory.address);
    // Until a discovery tells which credential answers, a new list of them does not change the one that did.
    const kept = inventory === this.inventory ? this.#sessions.findSame(targets) : undefined;
    const target = kept ?? targets[inventory.credential];
    if (target === undefined) {
      this.#replacePlans(undefined, undefined);
      return;
    }
    const shape = shapeOf(device.settings, inventory, target, selection);
    if (this.#shared?.key === shape.key) {
      this.#sessions.use(target, this.#running.values());
      if (this.inventory?.version !== inventory.version) {
        for (const memory of this.#memories.values()) memory.askForeign();
      }
      this.inventory = inventory;
      this.generation = this.#tools.generation();
      return;
    }
    const shared = this.#tools.plans.acquire(shape);
    if (shared !== undefined) this.#adopt(shared, target, inventory);
    else this.#preparing = this.#prepare(shape, target, basis).catch((error) => this.#giveUp(error));
  }

  /** Long tables take their time; until then the old plans hold, and the way of asking that they were made for. */
  async #prepare(shape: DeviceShape, target: Target, basis: PlanBasis): Promise<void> {
    const generation = this.#tools.generation();
    const shared = await this.#tools.plans.prepare(shape);
    if (this.#basis !== basis) {
      this.#tools.plans.release(shared);
      return;
    }
    this.#preparing = undefined;
    this.#adopt(shared, target, basis.inventory);
    this.generation = generation;
    this.isStale = true;
  }

  #adopt(shared: SharedPlans, target: Target, inventory: Inventory): void {
    this.#sessions.use(target, this.#running.values());
    this.#replacePlans(shared, inventory);
  }

  /** A secret that cannot be resolved, an inventory that cannot be: the device waits until something changes. */
  #giveUp(error: unknown): void {
    this.#tools.log.error({ device: this.device.ref.name, error }, 'It cannot be polled.');
    this.#replacePlans(undefined, undefined);
  }

  #replacePlans(shared: SharedPlans | undefined, inventory: Inventory | undefined): void {
    const plans = shared?.plans ?? [];
    if (shared === undefined) this.#basis = undefined;
    this.generation = this.#tools.generation();
    if (this.#shared !== undefined) this.#tools.plans.release(this.#shared);
    this.#shared = shared;
    this.inventory = inventory;
    const before = new Map(this.#memories);
    this.#memories.clear();
    for (const plan of plans)
      this.#memories.set(plan.everyMs, new PlanMemory(plan, before.get(plan.everyMs)));
    for (const [everyMs, slot] of this.#slots) {
      if (this.#memories.has(everyMs)) continue;
      slot.close();
      this.#slots.delete(everyMs);
    }
    const name = nameInContext(deviceKey(this.device.ref), this.context);
    for (const everyMs of this.#memories.keys()) {
      if (!this.#slots.has(everyMs)) this.#slots.set(everyMs, this.#tools.schedule.open(name, everyMs, this));
    }
  }

  #poll(memory: PlanMemory, slot: DueSlot): Promise<readonly Batch[]> {
    const { everyMs } = memory.plan;
    this.#askedMs = this.#tools.clock.now();
    const poll = pollPlan(this, memory, slot, this.#tools)
      .catch((error): readonly Batch[] => {
        this.#tools.log.error({ device: this.device.ref.name, error }, 'A poll failed.');
        this.#sessions.retire(this.#running.values());
        return [];
      })
      .finally(() => {
        this.#running.delete(everyMs);
        const current = this.#memories.get(everyMs);
        if (current !== memory) current?.inherit(memory);
      });
    this.#running.set(everyMs, poll);
    return poll;
  }

  /** Devices that do not answer are asked for one value, at the shortest of their intervals. */
  #probe(memory: PlanMemory): void {
    const { everyMs, slots } = memory.plan;
    this.#tally((tally) => tally.countDown(slots));
    if (this.#running.size > 0 || everyMs !== Math.min(...this.#memories.keys())) return;
    const nowMs = this.#tools.clock.now();
    const pauseMs = probePauseMs(this.device.status, everyMs) ?? 0;
    // Slots are due a little early or late: half an interval tells them apart.
    if (nowMs - this.#askedMs < pauseMs - everyMs / 2) return;
    void this.#sendProbe(everyMs);
  }

  #sendProbe(everyMs: number): Promise<unknown> {
    this.#askedMs = this.#tools.clock.now();
    this.#tally((tally) => tally.probes++);
    const probe = probeDevice(this, 0.8 * everyMs, this.#tools).then(() => []);
    this.#running.set(everyMs, probe);
    return probe.finally(() => this.#running.delete(everyMs));
  }

  #tally(count: (tally: PollTally) => void): void {
    count(this.tally);
    count(this.#tools.tally);
  }
}
