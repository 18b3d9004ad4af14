import { type DeviceRef, deviceKey } from '../../../src/index.ts';
import { type Clock, SendPace } from '../../../src/timing/index.ts';
import type { Device } from '../../device-registry/service.ts';
import type { PacketPace } from '../../snmp-discovery/service.ts';
import type { TrapPoll } from '../record/trap-log.ts';
import type { AcceptedTrap } from '../trap-intake.ts';

export interface AimSettings {
  readonly delayMs: number;
  /** 0: not again. */
  readonly againMs: number;
  readonly devicePerMinute: number;
  readonly packetsPerSecond: number;
  readonly restartMs: number;
}

/** Objects, and the instances of each; undefined: all. */
export type WantedRows = Map<string, Set<string> | undefined>;

/** What has to be known of a notification for the poll of what it names. */
export interface AimingTrap {
  readonly summary: Pick<AcceptedTrap['summary'], 'name' | 'trapId'>;
  readonly decoded: Pick<AcceptedTrap['decoded'], 'named' | 'pointed'> & {
    readonly definition:
      | {
          readonly aim: { readonly poll: readonly string[]; readonly rediscover: boolean } | undefined;
        }
      | undefined;
  };
  readonly subject: Pick<AcceptedTrap['subject'], 'device'>;
}

export interface AimParts {
  readonly settings: AimSettings;
  readonly clock: Pick<Clock, 'now' | 'setTimer' | 'clearTimer'>;
  /** Whether the device has an object, and of which table it is part. Undefined when the object is unknown. */
  findTable(
    device: Device,
    object: string,
  ): { readonly table: string; readonly instances: ReadonlySet<string> } | undefined;
  /** The records carry `trapId`. */
  poll(device: Device, wanted: WantedRows, trapId: string): Promise<unknown>;
  /** The packets of the discovery keep the pace. */
  rediscover(device: Device, cause: 'reset' | 'changed', pace: PacketPace): void;
  /** What became of the notifications with these ids. */
  onAsked(trapIds: readonly string[], poll: TrapPoll): void;
}

interface Pending {
  readonly wanted: WantedRows;
  /** The notifications that ask for it, the first one first. */
  readonly trapIds: string[];
  readonly timer: unknown;
}

const minuteMs = 60_000;
/** A poll that would come later than this is skipped: the device has been asked by its schedule by then. */
const longestWaitMs = 10_000;
/** At most this many notifications of a flapping interface are linked to one poll. */
const maxTrapIds = 1_000;
/** A device restarts: what it says about itself is complete only later. */
const starts: ReadonlySet<string> = new Set([
  'SNMPv2-MIB::coldStart',
  'SNMPv2-MIB::warmStart',
  'NET-SNMP-AGENT-MIB::nsNotifyRestart',
]);

/** Polls what notifications name: once for all that come within a short time, and never more than the limits allow. */
export class AimedPolls {
  readonly #parts: AimParts;
  readonly #pending = new Map<string, Pending>();
  /** Rows that are polled once more. A notification about the same rows waits for that. */
  readonly #again = new Map<string, Pending>();
  readonly #restarts = new Map<string, unknown>();
  readonly #recent = new Map<string, number[]>();
  /** Of all packets that notifications lead to. */
  readonly #pace: SendPace;
  #isClosed = false;
  polled = 0;
  skipped = 0;

  constructor(parts: AimParts) {
    this.#parts = parts;
    const { clock, settings } = parts;
    const wait = (ms: number) => new Promise<void>((go) => clock.setTimer(go, ms));
    this.#pace = new SendPace(1000 / settings.packetsPerSecond, { now: () => clock.now(), wait }, 0);
  }

  /** Only registered devices are asked. */
  add({ summary: { name, trapId }, decoded, subject: { device } }: AimingTrap): void {
    const aim = decoded.definition?.aim;
    if (device === undefined || aim === undefined || this.#isClosed) return;
    if (starts.has(name)) {
      this.#rediscoverLater(device, trapId);
      return;
    }
    if (aim.rediscover) {
      this.#rediscover(device, 'changed', trapId);
      return;
    }
    const wanted: WantedRows = new Map();
    for (const object of aim.poll) {
      const found = this.#parts.findTable(device, object);
      if (found === undefined) continue;
      const named = decoded.named
        .filter(({ table }) => table === found.table)
        .map(({ instance }) => instance);
      if (named.length > 0 && named.every((instance) => !found.instances.has(instance))) {
        this.#rediscover(device, 'changed', trapId);
        return;
      }
      wanted.set(object, named.length === 0 ? undefined : new Set(named));
    }
    for (const { object, instance } of decoded.pointed) {
      const found = this.#parts.findTable(device, object);
      if (found?.instances.has(instance)) addRows(wanted, object, new Set([instance]));
    }
    if (wanted.size > 0) this.#pollLater(device, wanted, { trapIds: [trapId], isAgain: false });
  }

  /** Nobody polls what these notifications name. */
  skip(trapIds: readonly string[], objects: readonly string[]): void {
    this.skipped++;
    this.#parts.onAsked(trapIds, { timeMs: Date.now(), outcome: 'skipped', objects });
  }

  forget(ref: DeviceRef): void {
    const key = deviceKey(ref);
    const { clock } = this.#parts;
    clock.clearTimer(this.#pending.get(key)?.timer as never);
    clock.clearTimer(this.#again.get(key)?.timer as never);
    clock.clearTimer(this.#restarts.get(key) as never);
    this.#pending.delete(key);
    this.#again.delete(key);
    this.#restarts.delete(key);
    this.#recent.delete(key);
  }

  close(): void {
    this.#isClosed = true;
    const { clock } = this.#parts;
    for (const queue of [this.#pending, this.#again])
      for (const { timer } of queue.values()) clock.clearTimer(timer as never);
    for (const timer of this.#restarts.values()) clock.clearTimer(timer as never);
  }

  #pollLater(device: Device, wanted: WantedRows, { trapIds, isAgain }: Asked): void {
    const { clock, settings } = this.#parts;
    const key = deviceKey(device.ref);
    const again = this.#again.get(key);
    if (!isAgain && again !== undefined && containsRows(again.wanted, wanted)) {
      join(again, trapIds);
      return;
    }
    const queue = isAgain ? this.#again : this.#pending;
    const waiting = queue.get(key);
    if (waiting !== undefined) {
      for (const [object, instances] of wanted) addRows(waiting.wanted, object, instances);
      join(waiting, trapIds);
      return;
    }
    const timer = clock.setTimer(
      () => {
        queue.delete(key);
        void this.#poll(device, wanted, { trapIds, isAgain });
      },
      isAgain ? settings.againMs : settings.delayMs,
    );
    queue.set(key, { wanted, trapIds, timer });
  }

  async #poll(device: Device, wanted: WantedRows, { trapIds, isAgain }: Asked): Promise<void> {
    const { clock, settings, poll, onAsked } = this.#parts;
    const pace = this.#pace;
    const nowMs = clock.now();
    const key = deviceKey(device.ref);
    const recent = (this.#recent.get(key) ?? []).filter((atMs) => atMs > nowMs - minuteMs);
    this.#recent.set(key, recent);
    const objects = [...wanted.keys()];
    if (recent.length >= settings.devicePerMinute || pace.waitMs > longestWaitMs) {
      this.skip(trapIds, objects);
      return;
    }
    recent.push(nowMs);
    if (!isAgain && settings.againMs > 0)
      this.#pollLater(device, wanted, { trapIds: [...trapIds], isAgain: true });
    // Each object costs a packet or two.
    await pace.take(undefined, wanted.size);
    if (this.#isClosed) return;
    this.polled++;
    onAsked(trapIds, { timeMs: Date.now(), outcome: 'polled', objects });
    await poll(device, new Map(wanted), trapIds[0]!).catch(() => {});
  }

  #rediscover(device: Device, cause: 'reset' | 'changed', trapId: string): void {
    this.#parts.rediscover(device, cause, this.#pace);
    this.#parts.onAsked([trapId], { timeMs: Date.now(), outcome: 'rediscovered', objects: [] });
  }

  /** Spread over the time by the device's address, so that a power failure does not make all of them due together. */
  #rediscoverLater(device: Device, trapId: string): void {
    const key = deviceKey(device.ref);
    if (this.#restarts.has(key)) return;
    const { clock, settings } = this.#parts;
    let hash = 0;
    for (const character of key) hash = (hash * 31 + character.charCodeAt(0)) % 1_000;
    const begin = () => {
      this.#restarts.delete(key);
      this.#rediscover(device, 'reset', trapId);
    };
    this.#restarts.set(key, clock.setTimer(begin, settings.restartMs * (1 + hash / 1_000)));
  }
}

interface Asked {
  readonly trapIds: string[];
  readonly isAgain: boolean;
}

function join({ trapIds }: Pending, more: readonly string[]): void {
  if (trapIds.length < maxTrapIds) trapIds.push(...more);
}

function addRows(wanted: WantedRows, object: string, instances: Set<string> | undefined): void {
  const known = wanted.get(object);
  if (!wanted.has(object)) wanted.set(object, instances);
  else if (known === undefined || instances === undefined) wanted.set(object, undefined);
  else for (const instance of instances) known.add(instance);
}

/** Whether `wanted` asks for nothing beyond `all`. */
function containsRows(all: WantedRows, wanted: WantedRows): boolean {
  return [...wanted].every(([object, instances]) => {
    if (!all.has(object)) return false;
    const known = all.get(object);
    return known === undefined || (instances !== undefined && [...instances].every((row) => known.has(row)));
  });
}
