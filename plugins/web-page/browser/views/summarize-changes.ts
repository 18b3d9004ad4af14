import type { DefinitionChanges } from '../../../../src/client/index.ts';
import { countOf } from '../parts/count-text.ts';

type Kind = keyof DefinitionChanges;

const kinds: Readonly<Record<Kind, readonly [one: string, many: string]>> = {
  objects: ['object', 'objects'],
  objectGroups: ['object group', 'object groups'],
  deviceGroups: ['device group', 'device groups'],
  notifications: ['notification', 'notifications'],
  enums: ['enum', 'enums'],
  devices: ['device', 'devices'],
  sysObjectIds: ['sysObjectID', 'sysObjectIDs'],
  networks: ['network', 'networks'],
};

/** A kind of definition in words. A kind of a newer collector is shown as it is. */
export function kindWords(kind: string, count: number): string {
  const words = (kinds as Readonly<Record<string, readonly [string, string]>>)[kind];
  return words?.[count === 1 ? 0 : 1] ?? kind;
}

/** `2 objects changed, 1 device added` in one line. */
export function summarizeChanges(changes: DefinitionChanges): string {
  const parts = (Object.keys(kinds) as Kind[]).flatMap((kind) =>
    (['added', 'changed', 'removed'] as const)
      .filter((how) => (changes[kind]?.[how].length ?? 0) > 0)
      .map((how) => `${countOf(changes[kind][how].length, ...kinds[kind])} ${how}`),
  );
  return parts.length === 0 ? 'only defaults or descriptions' : parts.join(', ');
}

/** How many definitions differ. */
export function countChanges(changes: DefinitionChanges): number {
  return Object.values(changes).reduce(
    (sum, { added, changed, removed }) => sum + added.length + changed.length + removed.length,
    0,
  );
}
