import type { SecurityKeys } from '../user/security-user.ts';

/** All that a message is made of before it is encrypted and signed. */
export interface OutgoingMessage {
  readonly messageId: number;
  /** msgFlags: the security level, with the reportable bit or without. */
  readonly flags: number;
  /** The authoritative engine's: its id, and its clock as the sender knows it. */
  readonly engineId: Uint8Array;
  readonly boots: number;
  readonly time: number;
  readonly userName: Uint8Array;
  /** Localized to `engineId`; has what `flags` asks for. */
  readonly keys: SecurityKeys;
  /** Eight octets when `flags` asks for privacy; never the same twice for one key. */
  readonly salt?: Uint8Array | undefined;
  readonly contextEngineId: Uint8Array;
  readonly contextName: Uint8Array;
  /** Encoded, with tag and length. */
  readonly pdu: Uint8Array;
}
