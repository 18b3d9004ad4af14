import type { Clock } from '../../timing/clock.ts';
import type { EngineState } from '../usm/engine/engine-table.ts';
import type { UserSettings } from '../usm/user/user-settings.ts';
import type { SignedMark } from './copy-filter.ts';
import type { Notification } from './notification.ts';
import type { Verdict } from './outcome.ts';
import type { EngineLimits } from './sender-engines.ts';
import type { NotificationRights } from './sender-rights.ts';

export interface ReceiverOptions {
  readonly rights: NotificationRights;
  readonly users?: readonly ReceiverUser[] | undefined;
  /** Our engine: 5 to 32 octets, and how often it has started. By default a random one that starts for the first time. */
  readonly engine?: { readonly id: Uint8Array; readonly boots: number } | undefined;
  readonly engines?: Partial<EngineLimits> | undefined;
  readonly limits?: Partial<ReceiverLimits> | undefined;
  /** The system's clock by default. */
  readonly clock?: Clock | undefined;
  /** Keeps what must not be lost at a restart. Without it, what was captured may be accepted once more after one. */
  readonly memory?: ReceiverMemory | undefined;
  /**
   * Called for each notification that passed all checks. `later`: call `settle` when it is known what became of it. An inform is
   * answered unless the verdict is `queue`. It must not throw.
   */
  onNotification(notification: Notification): Verdict | 'later';
  /** Sends a reply from the listener that received the datagram. */
  send(reply: Buffer, listener: number, port: number, address: string): void;
}

/** Called before `onNotification`. It must not throw. Give all to `restoreMarks` and `restoreEngines` of the next receiver. */
export interface ReceiverMemory {
  /** A signed trap was admitted. */
  keepMark(mark: SignedMark): void;
  /** The clock of an engine is new, or differs from what was told before. */
  keepEngine(state: EngineState): void;
}

export interface ReceiverUser {
  readonly key: string;
  readonly settings: UserSettings;
  /** Engine IDs in hexadecimal, of the engines that this user belongs to; empty: any. */
  readonly engineIds?: readonly string[] | undefined;
}

export interface ReceiverLimits {
  readonly sourcePerSecond: number;
  readonly sourceBurst: number;
  readonly sourceRepliesPerSecond: number;
  readonly repliesPerSecond: number;
}

export const defaultLimits: ReceiverLimits = {
  sourcePerSecond: 100,
  sourceBurst: 2_000,
  sourceRepliesPerSecond: 10,
  repliesPerSecond: 500,
};
