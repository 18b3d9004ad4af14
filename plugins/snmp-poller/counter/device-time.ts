/** When values were read. */
export interface DeviceTime {
  /** Our own monotonic clock. */
  readonly localMs: number;
  /** The device's sysUpTime, in hundredths of a second. */
  readonly upTicks: number | undefined;
  /** How often its SNMP engine has started. */
  readonly boots: number | undefined;
}

/** The clocks of a device and of Waywiser drift apart: a smaller difference means the same start. */
const driftMs = 5_000;
/** sysUpTime has 32 bits of hundredths of a second, and begins again after 497 days without a restart. */
const upTimeWrapMs = 2 ** 32 * 10;
const wrapToleranceMs = 600_000;

/**
 * When the agent started, by a reading of its sysUpTime at `wallMs`. Returns `before`, the start that is known, unless the agent
 * was restarted or the wall clock was set.
 */
export function startedMsOf(upTicks: number, wallMs: number, before: number | undefined): number {
  const startedMs = Math.round(wallMs - 10 * upTicks);
  if (before === undefined) return startedMs;
  const movedMs = startedMs - before;
  const isSame = Math.abs(movedMs) < driftMs || Math.abs(movedMs - upTimeWrapMs) < wrapToleranceMs;
  return isSame ? before : startedMs;
}

export interface Elapsed {
  readonly seconds: number;
  /** The device, or its agent, began anew in between: its counters too. */
  readonly isRestart: boolean;
}

/** What a device's clock may be off, and how much the moments of asking may differ. */
const toleratedShare = 0.1;
const toleratedSeconds = 10;

/**
 * The time between two reads by the device's own clock, so that what delays our packets does not disturb rates. sysUpTime
 * wraps after 497 days (RFC 3418): it went on when what it says fits our own clock, else the device was restarted, even
 * where it has been up for longer than before by now. A clock that runs ahead is not believed.
 */
export function elapsedBetween(before: DeviceTime, now: DeviceTime): Elapsed {
  const local = (now.localMs - before.localMs) / 1000;
  const isBooted = before.boots !== undefined && now.boots !== undefined && now.boots !== before.boots;
  if (isBooted) return { seconds: local, isRestart: true };
  if (before.upTicks === undefined || now.upTicks === undefined) return { seconds: local, isRestart: false };
  const own = ((now.upTicks - before.upTicks) >>> 0) / 100;
  const tolerance = toleratedSeconds + toleratedShare * local;
  // A clock that stands still says nothing.
  if (Math.abs(own - local) <= tolerance) return { seconds: own || local, isRestart: false };
  const isBehind = now.upTicks < before.upTicks || own < local;
  return { seconds: local, isRestart: isBehind };
}
