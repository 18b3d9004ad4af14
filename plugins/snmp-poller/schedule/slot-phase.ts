/** Where in its interval a device is polled: the same at every start, evenly spread over all devices. */
export function phaseMsOf(device: string, everyMs: number): number {
  return (hash(`${device} ${everyMs}`) / 2 ** 32) * everyMs;
}

/**
 * The first slot after `nowMs`. Slots are counted from `originMs`, the moment of 1970 on this clock as it was known at the
 * start: so they are where they were before a restart, and no step of the wall clock moves them.
 */
export function nextSlotMs(phaseMs: number, everyMs: number, nowMs: number, originMs: number): number {
  const since = nowMs - originMs - phaseMs;
  return originMs + phaseMs + (Math.floor(since / everyMs) + 1) * everyMs;
}

/** FNV-1a, its bits mixed at the end as MurmurHash3 does, for names that differ in their last digit only. */
function hash(text: string): number {
  let value = 0x811c9dc5;
  for (let i = 0; i < text.length; i++) value = Math.imul(value ^ text.charCodeAt(i), 0x01000193);
  value = Math.imul(value ^ (value >>> 16), 0x85ebca6b);
  value = Math.imul(value ^ (value >>> 13), 0xc2b2ae35);
  return (value ^ (value >>> 16)) >>> 0;
}
