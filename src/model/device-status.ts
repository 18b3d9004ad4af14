import { type DeviceState, deviceStates } from './device.ts';

/** The state of a device, since when, and why. */
export interface DeviceStatus {
  readonly state: DeviceState;
  /** Milliseconds since 1970. */
  readonly sinceMs: number;
  readonly why: string;
  /** The number of polls and probes in a row without a reply. */
  readonly silences: number;
}

/** The result of one poll or one probe of a device. */
export type Contact =
  | { readonly answered: true; readonly why?: string }
  | { readonly answered: false; readonly why: string };

/** A poll without a reply makes a device suspect; this many probes without a reply make it down. */
const probesUntilDown = 3;
const longestProbeMs = 300_000;

export function newStatus(nowMs: number, why = 'this collector has not asked it yet'): DeviceStatus {
  return { state: 'unknown', sinceMs: nowMs, why, silences: 0 };
}

/** Whether `value`, which another collector has written, is a status. */
export function isDeviceStatus(value: unknown): value is DeviceStatus {
  const { state, sinceMs, why, silences } = (value ?? {}) as Partial<Record<keyof DeviceStatus, unknown>>;
  return (
    deviceStates.includes(state as DeviceState) &&
    typeof sinceMs === 'number' &&
    typeof why === 'string' &&
    typeof silences === 'number'
  );
}

/** The status after a contact. A device that was down is checked once before it is polled in full. */
export function advanceStatus(status: DeviceStatus, contact: Contact, nowMs: number): DeviceStatus {
  const silences = contact.answered ? 0 : status.silences + 1;
  const state = nextState(status.state, contact.answered, silences);
  if (state === status.state) return silences === status.silences ? status : { ...status, silences };
  return { state, sinceMs: nowMs, why: contact.why ?? 'it answered', silences };
}

/** How long to wait after the last contact before asking the device again; undefined means its next scheduled slot. */
export function probePauseMs(status: DeviceStatus, intervalMs: number): number | undefined {
  if (status.state !== 'down') return undefined;
  const doublings = Math.min(status.silences - probesUntilDown, 20);
  return Math.max(intervalMs, Math.min(longestProbeMs, intervalMs * 2 ** doublings));
}

function nextState(state: DeviceState, answered: boolean, silences: number): DeviceState {
  if (answered) return state === 'down' ? 'recovering' : 'up';
  if (state === 'down' || silences > probesUntilDown) return 'down';
  return 'suspect';
}
