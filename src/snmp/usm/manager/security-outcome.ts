import type { ReportReason } from '../message/report-reason.ts';

/** The result of opening a message that was accepted. */
export type SecurityOutcome = SecurityResponse | SecurityReport;

/** The Response PDU, with its tag and length, in `octets[start, end)`. Its request id is not checked yet. */
export interface SecurityResponse {
  readonly kind: 'response';
  readonly octets: Buffer;
  readonly start: number;
  readonly end: number;
}

/** An engine's error, or its answer to a discovery. */
export interface SecurityReport {
  readonly kind: 'report';
  readonly reason: ReportReason;
  /** Whether it is signed with the user's key. Otherwise anybody may have sent it. */
  readonly isAuthenticated: boolean;
  readonly engineId: Buffer;
  readonly boots: number;
  readonly time: number;
}
