/** What a set of definition directories may ask of its reader. */
export const readingLimits = {
  maxFileBytes: 1_048_576,
  maxTotalBytes: 67_108_864,
  maxFiles: 10_000,
  maxFolderDepth: 16,
  /** How often a file that changes under the reader is read again. */
  maxRereads: 3,
  /** How long to wait, in all, for files that were emptied a moment ago. */
  patienceMs: 100,
  /** More problems than anyone reads; the rest is counted. */
  maxProblems: 1_000,
  /** Of texts whose parsed form is held until they are checked: those of an edit, not of a cold load. */
  maxHeldCharacters: 1_048_576,
} as const;
