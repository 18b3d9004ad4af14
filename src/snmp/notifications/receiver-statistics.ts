import { type CollapseReason, type DropCause, dropCauses } from './outcome.ts';
import { type UsmReason, UsmStatistics } from './usm-statistics.ts';

/** received = accepted + discovery + collapsed + dropped + queued, at every moment. */
export interface ReceiverStatistics {
  /** Our engine, in hexadecimal. */
  readonly engineId: string;
  readonly boots: number;
  readonly received: number;
  readonly accepted: number;
  /** Questions for our engine ID. */
  readonly discovery: number;
  readonly collapsed: Readonly<Record<CollapseReason, number>>;
  readonly dropped: Readonly<Record<DropCause, number>>;
  readonly informs: { readonly acknowledged: number; readonly repeated: number; readonly unaccepted: number };
  /** Reports that were sent, by reason. */
  readonly reports: Readonly<Record<UsmReason, number>>;
  /** Messages that the User-based Security Model has refused (usmStats). */
  readonly usm: Readonly<Record<UsmReason, number>>;
  /** Engines of senders that are known. */
  readonly engines: number;
  /** Notifications of which it is not known yet what becomes of them. */
  readonly queued: number;
}

type Mutable<T> = { -readonly [Key in keyof T]: T[Key] extends object ? Mutable<T[Key]> : T[Key] };

/** The counters that the receiver itself keeps. */
export type LiveStatistics = Mutable<Omit<ReceiverStatistics, 'engineId' | 'boots' | 'usm' | 'engines'>>;

export function newStatistics(): LiveStatistics {
  return {
    received: 0,
    accepted: 0,
    discovery: 0,
    collapsed: { copy: 0, repeat: 0 },
    dropped: Object.fromEntries(dropCauses.map((cause) => [cause, 0])) as Record<DropCause, number>,
    informs: { acknowledged: 0, repeated: 0, unaccepted: 0 },
    reports: new UsmStatistics().counts,
    queued: 0,
  };
}
