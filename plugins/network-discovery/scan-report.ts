import type { ScanCounts, ScanRef, WaywiserError } from '../../src/index.ts';

/** A scan that has ended. */
export interface ScanReport {
  readonly scan: ScanRef;
  readonly counts: ScanCounts;
  /** Milliseconds since 1970. */
  readonly beganMs: number;
  readonly durationMs: number;
  /** Why it ended before its end. */
  readonly problem: WaywiserError | undefined;
}
