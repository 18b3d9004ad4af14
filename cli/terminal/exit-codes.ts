/** The exit codes of the process. Documented in the README. */
export const exitCodes = {
  done: 0,
  /** The command found problems, or the collector could not start. */
  failed: 1,
  /** Wrong options or arguments. */
  usage: 2,
  /** A plugin broke the running collector; the others were stopped in order. */
  broken: 3,
  /** The collector stopped on request, but a plugin failed while it stopped. */
  notCleanly: 4,
} as const;
