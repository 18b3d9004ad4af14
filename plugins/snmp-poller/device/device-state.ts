import type { Inventory, Oid } from '../../../src/index.ts';
import { shardOf } from '../../../src/sharding/index.ts';
import type { Device } from '../../device-registry/service.ts';
import type { ClientSession } from '../../snmp-client/service.ts';
import { type DeviceTime, elapsedBetween, startedMsOf } from '../counter/device-time.ts';
import { PollTally } from '../poll-tally.ts';
import type { CurrentSession } from './current-session.ts';
import type { DeviceTools } from './device-tools.ts';
import type { PlanMemory } from './plan-memory.ts';
import { WatchedValues } from './watched-values.ts';

/** What is known of a device in one of its contexts. Its polls and probes read it and keep it up to date. */
export class DeviceState {
  readonly device: Device;
  readonly shard: number;
  /** One of the device's further contexts; undefined for the first one, which decides the state of the device. */
  readonly context: string | undefined;
  readonly session: CurrentSession;
  /** By interval. */
  readonly memories = new Map<number, PlanMemory>();
  readonly tally = new PollTally();
  readonly watched = new WatchedValues();
  readonly path = new PathStats();
  /** The device's own clock as it was last read. */
  time: DeviceTime | undefined = undefined;
  /** When the device's agent started, in milliseconds since 1970; undefined before the first reading of its clock. */
  startedMs: number | undefined = undefined;
  /** The inventory that the plans were made from. */
  inventory: Inventory | undefined = undefined;
  /** The definitions that the plans were compiled by, or that would compile to the same plans. */
  generation = 0;
  /** Probes in a row that were not answered. */
  unansweredProbes = 0;
  lastDurationMs = 0;
  lastPollMs = 0;
  lastSuccessMs = 0;
  lastLateMs = 0;

  constructor(device: Device, context: string | undefined, session: CurrentSession) {
    this.device = device;
    this.shard = shardOf(device.ref);
    this.context = context;
    this.session = session;
  }

  /** Whether the device stopped answering, so that it is probed instead of polled. */
  get isSilent(): boolean {
    const { state } = this.device.status;
    return state === 'suspect' || state === 'down';
  }
}

export interface PollFailure {
  /** One of docs/errors.md. */
  readonly code: string;
  /** Milliseconds since 1970. */
  readonly atMs: number;
}

/** Round trips, retransmissions and failures between Waywiser and one device. */
class PathStats {
  /** Smoothed; 0 before the first reply. */
  roundTripMs = 0;
  lastFailure: PollFailure | undefined = undefined;
  /** Whether the replies of a poll were longer than allowed. */
  hasLongReplies = false;
  /** Tables that were reported because their OIDs do not increase. */
  readonly misordered = new Set<Oid>();
  #session: ClientSession | undefined = undefined;
  #counted = 0;

  /** Until when the device is not asked for this column or scalar, because it did not answer for it. */
  silentUntilMs(oid: string): number | undefined {
    return this.#session?.silentUntil(oid);
  }

  /** Until when the columns below this OID are read by GET. */
  misorderedUntilMs(table: Oid): number | undefined {
    return this.#session?.poll === undefined ? undefined : this.#session.misorderedUntil(table);
  }

  /** Retransmissions since the last call. */
  takeRetries(session: ClientSession): number {
    const isSame = session === this.#session;
    this.#session = session;
    if (session.poll === undefined) return 0;
    const { retransmitted } = session;
    const retries = isSame ? retransmitted - this.#counted : retransmitted;
    this.#counted = retransmitted;
    return retries;
  }
}

/** To be called after each poll, and after each probe that failed. */
export function recordPathStats(
  { path, tally }: DeviceState,
  session: ClientSession,
  failure: string | undefined,
  { clock, tally: total, roundTrips }: DeviceTools,
): void {
  if (failure !== undefined) path.lastFailure = { code: failure, atMs: Math.round(clock.wallNow()) };
  const retries = path.takeRetries(session);
  tally.retries += retries;
  total.retries += retries;
  if (session.poll === undefined) return;
  path.roundTripMs = session.roundTripMs;
  if (path.roundTripMs > 0) roundTrips.add(path.roundTripMs);
}

/** Two clock readings that are closer than this may arrive in either order, because polls run side by side. */
const closestMs = 1_000;

/**
 * Updates the device's clock and start time. Returns true, and requests a discovery, when the device restarted since the last
 * reading.
 */
export function detectRestart(state: DeviceState, now: DeviceTime, tools: DeviceTools): boolean {
  if (now.upTicks === undefined) return false;
  const { time } = state;
  if (time !== undefined && isNoLater(now, time)) return false;
  state.time = now;
  const wallMs = tools.clock.wallNow() - (tools.clock.now() - now.localMs);
  state.startedMs = startedMsOf(now.upTicks, wallMs, state.startedMs);
  if (time === undefined || !elapsedBetween(time, now).isRestart) return false;
  tools.requestDiscovery(state.device, 'reset');
  return true;
}

/** A long poll that began before a short one can end after it, with an older reading of the clock. */
function isNoLater(now: DeviceTime, before: DeviceTime): boolean {
  const sinceMs = now.localMs - before.localMs;
  const ownMs = 10 * (now.upTicks! - (before.upTicks ?? 0));
  return sinceMs < 0 || (sinceMs < closestMs && Math.abs(ownMs) < closestMs);
}
