import type { DecodeOptions } from '../../../src/definitions/index.ts';
import { type Batch, type DeviceRef, defineErrors, deviceKey, type EventBus } from '../../../src/index.ts';
import { contextsOf } from '../../../src/model/index.ts';
import { shardOf } from '../../../src/sharding/index.ts';
import { percentilesOf } from '../../../src/timing/index.ts';
import type { Definitions } from '../../definitions-loader/service.ts';
import type { Device, DeviceRegistry } from '../../device-registry/service.ts';
import { nameInContext } from '../device/context-name.ts';
import type { DeviceTools } from '../device/device-tools.ts';
import { PolledDevice } from '../device/polled-device.ts';
import { pollerErrors } from '../errors.ts';
import { explainValue, type Question } from '../explain/explain-value.ts';
import { resolveContext } from '../explain/value-context.ts';
import type { ValueExplanation } from '../explain/value-explanation.ts';
import { readingOf, type ValueReading } from '../explain/value-reading.ts';
import type { DeviceCounters, Poller, PollerCounters, RequestedPoll } from '../service.ts';
import { countContexts } from './count-contexts.ts';
import { GroupPolls } from './group-polls.ts';
import { pickLargest } from './pick-largest.ts';
import { PollHandover } from './poll-handover.ts';
import { pollAll, pollOnDemand } from './poll-on-demand.ts';
import { pollRows, type WantedRows } from './poll-rows.ts';
import { RefreshQueue } from './refresh-queue.ts';
import { RowLabels } from './row-labels.ts';

const failure = defineErrors(pollerErrors);

export interface FleetParts {
  readonly tools: DeviceTools;
  readonly registry: DeviceRegistry;
  readonly definitions: Definitions;
  readonly decodeOptions: DecodeOptions;
  /** How long polls may continue after the collector begins to stop. */
  readonly finishWithinMs: number;
}

/** All devices that are polled. */
export class DeviceFleet implements Poller {
  readonly #parts: FleetParts;
  readonly #tools: DeviceTools;
  readonly #registry: DeviceRegistry;
  readonly #queue: RefreshQueue;
  /** By address and port. */
  readonly #devices = new Map<string, PolledDevice>();
  /** The further contexts of devices that have several. */
  readonly #further = new Map<string, readonly PolledDevice[]>();
  readonly #groupPolls: GroupPolls;
  readonly #rowLabels = new RowLabels();
  readonly handover: PollHandover;
  /** Removed devices whose last poll is still under way. The promise resolves when it has ended. */
  readonly #leaving = new Map<PolledDevice, Promise<void>>();

  constructor(parts: FleetParts) {
    this.#parts = parts;
    this.#tools = parts.tools;
    this.#registry = parts.registry;
    this.handover = new PollHandover(this.#tools.clock);
    this.#queue = new RefreshQueue(this.#tools.clock);
    this.#groupPolls = new GroupPolls(parts.tools, (polled) => this.#retire(polled));
  }

  /** Adds all devices. Each of their plans is polled within a minute. */
  begin(): void {
    for (const device of this.#registry.devices()) this.#refreshLater(device);
  }

  /** Polls the devices of these shards from now on. `isAgain`: nobody else polled them since they were lost. */
  gain(shards: ReadonlySet<number>, isAgain = false): void {
    if (isAgain) this.handover.takeBack(shards);
    for (const device of this.#registry.devicesIn(shards)) this.#refreshLater(device);
    this.handover.forget(shards);
  }

  /**
   * Ends the polls of the devices of these shards, and resolves when the last reply came or its deadline is over. Slots up to `ownedUntilMs`
   * that were not polled count as skipped, and later ones are left to the next owner.
   */
  async lose(shards: ReadonlySet<number>, ownedUntilMs?: number): Promise<void> {
    const devices = [...this.#registry.devicesIn(shards)];
    for (const { ref } of devices) {
      for (const polled of this.#contextsAt(deviceKey(ref))) {
        if (ownedUntilMs !== undefined) polled.skipUntil(ownedUntilMs);
        this.handover.keep(polled);
      }
      this.#remove(ref);
    }
    const retired = new Set(devices);
    const left = [...this.#leaving].filter(([{ state }]) => retired.has(state.device));
    await Promise.all(left.map(([, ended]) => ended));
  }

  listen(events: EventBus): void {
    const refreshLater = ({ device: { ip, port } }: { readonly device: DeviceRef }) => {
      const device = this.#registry.findDevice(ip, port);
      if (device !== undefined) this.#refreshLater(device);
    };
    events.on('device.added', refreshLater);
    events.on('device.changed', refreshLater);
    events.on('discovery.completed', refreshLater);
    events.on('device.state', ({ device }) => {
      for (const polled of this.#contextsAt(deviceKey(device)))
        if (!polled.state.isSilent) polled.hastenFirstPolls();
    });
    events.on('device.removed', ({ device }) => this.#remove(device));
    events.on('definitions.changed', () => this.begin());
  }

  async pollNow(device: Device, deviceGroups?: readonly string[]): Promise<readonly Batch[]> {
    if (deviceGroups === undefined) {
      await this.#requirePlans(device);
      return pollAll(this.#contextsOf(device));
    }
    if (this.#contextsOf(device).length === 0) await this.#requirePlans(device);
    return pollAll(this.#groupPolls.find(device, deviceGroups));
  }

  async requestPoll(device: Device): Promise<RequestedPoll> {
    await this.#requirePlans(device);
    const contexts = this.#contextsOf(device);
    const joined = contexts.some(({ underWay }) => underWay > 0);
    return { joined, ended: pollOnDemand(contexts, this.#tools.clock) };
  }

  latest(device: Device): readonly Batch[] {
    const key = deviceKey(device.ref);
    const newest = new Map<string, Batch>();
    for (const { state } of [...this.#contextsAt(key), ...this.#groupPolls.at(key)]) {
      for (const { plan, records, sensors } of state.memories.values()) {
        for (const { latest } of [...records, sensors]) {
          const batch = latest?.();
          if (batch === undefined) continue;
          const place = `${state.context} ${plan.everyMs} ${batch.record}`;
          if ((newest.get(place)?.slotMs ?? 0) <= batch.slotMs) newest.set(place, batch);
        }
      }
    }
    return [...newest.values()];
  }

  get decodeOptions(): DecodeOptions {
    return this.#parts.decodeOptions;
  }

  pollRows(device: Device, wanted: WantedRows, trapId?: string): Promise<readonly Batch[]> {
    const { current } = this.#parts.definitions;
    const objects = [...wanted.keys()].flatMap((id) => current.findObject(id)?.definition ?? []);
    const { everyMsByType } = current.sections;
    return pollRows(device, wanted, { tools: this.#tools, objects, everyMsByType, trapId });
  }

  findLabels(device: Device, table: string, instance: string): Readonly<Record<string, string>> | undefined {
    return this.#rowLabels.find(this.#contextsOf(device), table, instance);
  }

  explain(device: Device, question: Question): ValueExplanation {
    const { definitions, decodeOptions } = this.#parts;
    const { further, name, inventory } = resolveContext(device, question, this.#tools.findInventory(device));
    const polled = this.#contextsOf(device).find(({ state }) => state.context === further);
    const reading = polled && findReading(polled, question);
    return explainValue(device, question, {
      generation: definitions.current,
      decodeOptions,
      context: name,
      inventory,
      lastFailure: polled?.state.path.lastFailure,
      reading,
      isLeftOut: ({ everyMs, oid }) => polled?.state.memories.get(everyMs)?.absent.hasOid(oid) ?? false,
      silentUntilMs: (oid) => polled?.state.path.silentUntilMs(oid),
      misorderedUntilMs: (table) => polled?.state.path.misorderedUntilMs(table),
    });
  }

  upcoming(device: Device): readonly { readonly plan: string; readonly inMs: number }[] {
    const nowMs = this.#tools.clock.now();
    return this.#contextsOf(device).flatMap((polled) => {
      polled.refresh();
      return [...polled.slots].map(({ everyMs, dueMs }) => ({
        plan: nameInContext(`every-${everyMs / 1000}s`, polled.state.context),
        inMs: dueMs - nowMs,
      }));
    });
  }

  counters(): PollerCounters {
    const { tally, plans, schedule, lateness, durations, roundTrips } = this.#tools;
    let devices = 0;
    let underWay = 0;
    for (const polled of this.#devices.values()) {
      if (polled.state.inventory !== undefined) devices++;
      underWay += polled.underWay;
    }
    for (const contexts of this.#further.values()) {
      for (const polled of contexts) underWay += polled.underWay;
    }
    return {
      ...tally.snapshot(),
      devices,
      slots: schedule.size,
      plans: plans.size,
      underWay,
      lateness: percentilesOf(lateness),
      duration: percentilesOf(durations),
      roundTrip: percentilesOf(roundTrips),
    };
  }

  deviceCounters(device: Device): DeviceCounters | undefined {
    const polled = this.#devices.get(deviceKey(device.ref));
    return polled && this.#count(polled);
  }

  slowest(count = 20): readonly DeviceCounters[] {
    return pickLargest(this.#devices.values(), count, ({ state: { lastPollMs, lastDurationMs } }) =>
      lastPollMs > 0 ? lastDurationMs : -1,
    )
      .filter(({ state }) => state.lastPollMs > 0)
      .map((polled) => this.#count(polled));
  }

  #count(polled: PolledDevice): DeviceCounters {
    const key = deviceKey(polled.state.device.ref);
    const further = [...(this.#further.get(key) ?? []), ...this.#groupPolls.at(key)];
    return countContexts([polled.state, ...further.map(({ state }) => state)]);
  }

  async #requirePlans(device: Device): Promise<void> {
    if (await this.#devices.get(deviceKey(device.ref))?.becomeReady()) return;
    const reason =
      device.settings.enabled === false
        ? 'its definition says `enabled: false`'
        : this.#tools.findInventory(device) === undefined
          ? 'it has not been discovered yet'
          : 'it has none of the objects in its device groups';
    throw failure('POLL_NOT_PLANNED', { device: device.ref.name, reason });
  }

  /** Starts no more polls, and resolves when the polls under way have ended. It ends them after `finishWithinMs`. */
  async close(): Promise<void> {
    this.#queue.close();
    const devices = [...this.#devices.keys()].flatMap((key) => [
      ...this.#contextsAt(key),
      ...this.#groupPolls.at(key),
    ]);
    const ended = Promise.all([...this.#leaving.values(), ...devices.map((polled) => polled.close())]);
    const { clock } = this.#tools;
    const timer = clock.setTimer(() => {
      for (const polled of [...devices, ...this.#leaving.keys()]) polled.cut();
    }, this.#parts.finishWithinMs);
    await ended;
    clock.clearTimer(timer);
  }

  #refreshLater(device: Device): void {
    if (!this.#tools.shards.owns(shardOf(device.ref))) return;
    const key = deviceKey(device.ref);
    let polled = this.#devices.get(key);
    if (polled === undefined) {
      polled = this.#create(device);
      this.#devices.set(key, polled);
    }
    this.#updateContexts(key, device);
    for (const each of this.#groupPolls.at(key)) each.isStale = true;
    for (const each of this.#contextsAt(key)) {
      each.isStale = true;
      this.#queue.add(each);
    }
  }

  #contextsOf({ ref }: Device): readonly PolledDevice[] {
    return this.#contextsAt(deviceKey(ref));
  }

  /** A device's polled contexts. The first one decides the state of the device. */
  #contextsAt(key: string): readonly PolledDevice[] {
    const polled = this.#devices.get(key);
    if (polled === undefined) return [];
    const further = this.#further.get(key);
    return further === undefined ? [polled] : [polled, ...further];
  }

  #updateContexts(key: string, device: Device): void {
    const wanted = contextsOf(device.settings).slice(1);
    const known = this.#further.get(key) ?? [];
    if (wanted.length === 0 && known.length === 0) return;
    const kept = new Map(known.map((polled) => [polled.state.context, polled]));
    const now = wanted.map((name) => kept.get(name) ?? this.#create(device, name));
    for (const polled of known) if (!now.includes(polled)) this.#retire(polled);
    if (now.length === 0) this.#further.delete(key);
    else this.#further.set(key, now);
  }

  #create(device: Device, context?: string): PolledDevice {
    const polled = new PolledDevice(device, this.#tools, context);
    polled.inherit(this.handover.receivedFor(polled.state));
    return polled;
  }

  #retire(polled: PolledDevice): void {
    this.#queue.delete(polled);
    const left = polled.close().finally(() => this.#leaving.delete(polled));
    this.#leaving.set(polled, left);
  }

  #remove(ref: DeviceRef): void {
    const key = deviceKey(ref);
    for (const polled of this.#contextsAt(key)) this.#retire(polled);
    this.#groupPolls.remove(key);
    this.#devices.delete(key);
    this.#further.delete(key);
  }
}

function findReading(
  polled: PolledDevice,
  { object, instance, attribute }: Question,
): ValueReading | undefined {
  polled.refresh();
  for (const memory of polled.state.memories.values()) {
    const reading = readingOf(memory, object, instance, attribute);
    if (reading !== undefined) return { ...reading, plan: nameInContext(reading.plan, polled.state.context) };
  }
  return undefined;
}
