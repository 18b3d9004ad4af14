/** When values were read. */
export interface DeviceTime {
  /** Waywiser's monotonic clock. */
  readonly localMs: number;
  /** The device's sysUpTime, in hundredths of a second. */
  readonly upTicks: number | undefined;
  /** How often the SNMP engine has started. */
  readonly boots: number | undefined;
  /** Whether another collector read it. Then at least as much time has passed as `localMs` says. */
  readonly isInherited?: boolean;
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
  /** 0 when it is not known. A whole number by the clock of the device, so that steady counters have even rates. */
  readonly ms: number;
  /** Whether the device or its agent restarted in between, and its counters with it. */
  readonly isRestart: boolean;
}

/** How far a device's clock and the moments of the two readings may be off. */
const toleratedShare = 0.1;
const toleratedMs = 10_000;

/**
 * The time between two readings by the device's own clock, so that delayed packets do not distort rates. sysUpTime wraps after 497
 * days (RFC 3418). When it fits Waywiser's clock, the device kept running; otherwise it restarted, even if it has been up for
 * longer than before by now. A device clock that runs ahead is not trusted. After another collector's reading only a device clock
 * that fits can measure the time.
 */
export function elapsedBetween(before: DeviceTime, now: DeviceTime): Elapsed {
  const local = now.localMs - before.localMs;
  const isBooted = before.boots !== undefined && now.boots !== undefined && now.boots !== before.boots;
  if (isBooted) return { ms: local, isRestart: true };
  const fallback = before.isInherited ? 0 : local;
  if (before.upTicks === undefined || now.upTicks === undefined) return { ms: fallback, isRestart: false };
  const own = ((now.upTicks - before.upTicks) >>> 0) * 10;
  const tolerance = toleratedMs + toleratedShare * local;
  // A device clock that does not advance cannot measure the time.
  if (Math.abs(own - local) <= tolerance) return { ms: own || fallback, isRestart: false };
  const isBehind = now.upTicks < before.upTicks || own < local;
  return { ms: isBehind ? local : fallback, isRestart: isBehind };
}
