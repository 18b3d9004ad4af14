export type ResourceCounts = ReadonlyMap<string, number>;

/** What keeps the process alive, by type: sockets, servers, timers that are not unref'd. */
export function countResources(): ResourceCounts {
  const counts = new Map<string, number>();
  for (const type of process.getActiveResourcesInfo()) {
    // File system requests end on their own, and the module loader makes some at any time.
    if (!type.startsWith('FSReq')) counts.set(type, (counts.get(type) ?? 0) + 1);
  }
  return counts;
}
