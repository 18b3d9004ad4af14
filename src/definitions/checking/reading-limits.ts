/** Limits of a set of definition directories. */
export const readingLimits = {
  maxFileBytes: 1_048_576,
  maxTotalBytes: 67_108_864,
  maxFiles: 10_000,
  maxFolderDepth: 16,
  /** How often a file that changes while it is read is read again. */
  maxRereads: 3,
  /** How long to wait in total for files that were emptied a moment ago. */
  settleMs: 100,
  /** More problems than anyone reads. */
  maxProblems: 1_000,
  /** Of texts whose parsed form is kept until they are checked: enough for an edit, not for a cold load. */
  maxHeldCharacters: 1_048_576,
} as const;
