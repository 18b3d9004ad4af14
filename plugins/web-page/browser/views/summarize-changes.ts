import type { DefinitionChanges } from '../../../../src/client/index.ts';

const kinds: readonly (readonly [keyof DefinitionChanges, string])[] = [
  ['objects', 'objects'],
  ['objectGroups', 'object groups'],
  ['deviceGroups', 'device groups'],
  ['enums', 'enums'],
  ['devices', 'devices'],
  ['sysObjectIds', 'sysObjectIDs'],
  ['networks', 'networks'],
];

/** One id that a change touches. */
export interface ChangedThing {
  readonly kind: string;
  readonly how: 'added' | 'changed' | 'removed';
  readonly id: string;
}

/** Every id that changes, by kind. */
export function listChanges(changes: DefinitionChanges): ChangedThing[] {
  return kinds.flatMap(([key, kind]) =>
    (['added', 'changed', 'removed'] as const).flatMap((how) =>
      changes[key][how].map((id) => ({ kind, how, id })),
    ),
  );
}

/** `3 objects, 1 devices` in one line. */
export function summarizeChanges(changes: DefinitionChanges): string {
  const parts = kinds
    .map(([key, kind]) => ({ kind, ...changes[key] }))
    .map(({ kind, added, changed, removed }) => ({
      kind,
      text: [
        [added.length, '+'],
        [changed.length, '~'],
        [removed.length, '−'],
      ]
        .filter(([count]) => count !== 0)
        .map(([count, sign]) => `${sign}${count}`)
        .join(' '),
    }))
    .filter(({ text }) => text !== '');
  return parts.length === 0
    ? 'only defaults or descriptions'
    : parts.map(({ kind, text }) => `${kind} ${text}`).join(', ');
}
