import type { DecodeFault } from '../codec/decode-fault.ts';

/**
 * What SNMPv3 does for one session between PDU octets and datagrams. The session drives it: while `isReady` is false it
 * sends `encodeDiscovery` and hands the answer to `adopt`; then it sends `encode` and asks `decode` about every datagram
 * whose message id is outstanding. src/snmp/usm implements it for the User-based Security Model.
 */
export interface SecureChannel {
  /** Whether engine id, and for users with keys also boots, time and localised keys, are known. */
  readonly isReady: boolean;
  /** The datagram that carries `pdu` (a whole PDU, its tag included) with this session's context and level. */
  encode(messageId: number, pdu: Uint8Array): Buffer;
  /**
   * A reportable request that makes the agent tell what is missing: without an engine id an empty one in the clear; with
   * an engine id but no time, an authenticated one (boots and time 0) that is answered by notInTimeWindows.
   */
  encodeDiscovery(messageId: number): Buffer;
  /** Checks in the order of RFC 3414 §3.2. Never throws; allocates nothing that a length claims. */
  decode(datagram: Uint8Array): SecureReply | SecurityFault;
  /**
   * Takes engine id, boots and time from a Report that `decode` returned. The session calls it only in discovery or once
   * a request. Resolves when keys are localised (off the loop); rejects never.
   */
  adopt(report: SecureReport): Promise<void>;
}

export type SecureReply = SecureResponse | SecureReport;

/** A scoped PDU that passed every check: `bytes[start, end)` is the PDU, its tag included. */
export interface SecureResponse {
  readonly kind: 'response';
  readonly messageId: number;
  readonly bytes: Uint8Array;
  readonly start: number;
  readonly end: number;
}

export interface SecureReport {
  readonly kind: 'report';
  readonly messageId: number;
  readonly reason: ReportReason;
  /** Whether the MAC was verified with this session's key; never trust boots and time of another one. */
  readonly isAuthenticated: boolean;
  readonly engineId: Uint8Array;
  readonly engineBoots: number;
  readonly engineTime: number;
}

/** The counters of usmStats that Reports carry (RFC 3414 §5). */
export type ReportReason =
  | 'unsupportedSecLevels'
  | 'notInTimeWindows'
  | 'unknownUserNames'
  | 'unknownEngineIds'
  | 'wrongDigests'
  | 'decryptionErrors'
  | 'other';

/** Why a v3 datagram was ignored. */
export type SecurityFault =
  | DecodeFault
  | 'securityModel'
  | 'securityLevel'
  | 'user'
  | 'engineId'
  | 'context'
  | 'macLength'
  | 'mac'
  | 'timeWindow'
  | 'decryption';
