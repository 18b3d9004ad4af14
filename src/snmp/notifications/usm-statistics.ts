/** The counters of usmStats (RFC 3414 §5). */
export const usmReasons = [
  'unsupportedSecLevels',
  'notInTimeWindows',
  'unknownUserNames',
  'unknownEngineIDs',
  'wrongDigests',
  'decryptionErrors',
] as const;
export type UsmReason = (typeof usmReasons)[number];

export class UsmStatistics {
  readonly counts: Record<UsmReason, number> = {
    unsupportedSecLevels: 0,
    notInTimeWindows: 0,
    unknownUserNames: 0,
    unknownEngineIDs: 0,
    wrongDigests: 0,
    decryptionErrors: 0,
  };

  /** Returns the new count. */
  add(reason: UsmReason): number {
    return ++this.counts[reason];
  }
}
