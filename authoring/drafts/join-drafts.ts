import type { DraftEnum, DraftSet } from './draft-set.ts';

/** Several drafts as one. An enum that several have is written once. */
export function joinDrafts(sets: readonly DraftSet[]): DraftSet {
  const enums = new Map<string, DraftEnum>();
  for (const each of sets.flatMap((set) => set.enums)) enums.set(`${each.kind}/${each.oid}`, each);
  return {
    objects: sets.flatMap(({ objects }) => objects),
    enums: [...enums.values()],
    notifications: sets.flatMap(({ notifications = [] }) => notifications),
    objectGroups: sets.flatMap(({ objectGroups }) => objectGroups),
    deviceGroups: sets.flatMap(({ deviceGroups }) => deviceGroups),
    sysObjectIds: sets.flatMap(({ sysObjectIds }) => sysObjectIds),
    devices: sets.flatMap(({ devices }) => devices),
    secrets: new Map(sets.flatMap(({ secrets }) => [...secrets])),
  };
}
