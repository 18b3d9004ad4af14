/**
 * Why an expected value is missing. A column's `gaps` hold the index into this list; 0 means the value is there.
 * The order is stored on disk: append, never reorder.
 */
export const gapReasons = [
  'none',
  'timeout',
  'noSuchObject',
  'noSuchInstance',
  'authentication',
  'budget',
  'down',
  'decode',
  'overridden',
  'filtered',
  // The agent answered with an error for this value.
  'refused',
  // Rates: there is no earlier value to compare with, or the counter was reset.
  'unseeded',
  'reset',
  // The agent answered with an empty address: there is none.
  'empty',
  // The agent answered with a value that means that there is none, such as -1: `missing` of the definition lists it.
  'absent',
] as const;
export type GapReason = (typeof gapReasons)[number];

/** The number that `gaps` of a column contain for this reason. */
export function gapCode(reason: GapReason): number {
  return gapReasons.indexOf(reason);
}
