import { type ChangeKind, changeKinds, type DefinitionChanges } from '../../model/definition-changes.ts';
import type { CheckedSet } from '../checking/check-set.ts';
import type { Origin } from '../checking/definition-sections.ts';
import type { DefinitionKind } from '../schema/definition-kinds.ts';
import { type FieldChange, listFieldChanges } from './definition-diff.ts';

/** A field that differs, as people read it. */
export interface FieldText {
  /** Keys and positions, joined by dots: `attributes.ifInOctets.metric`. */
  readonly path: string;
  /** Absent where the field is new; empty for a list or a whole attribute. */
  readonly before?: string;
  /** Absent where the field is gone. */
  readonly after?: string;
}

/** A definition that differs, and where it is. */
export interface ListedChange extends Partial<Origin> {
  readonly kind: ChangeKind;
  readonly id: string;
  readonly how: 'added' | 'changed' | 'removed';
  /** What differs in it. A changed definition without fields changed through something that it depends on. */
  readonly fields: readonly FieldText[];
}

/** Definitions that changed by themselves come first, then added and removed ones, then those that depend on changed ones. */
export function listChanges(
  before: CheckedSet,
  after: CheckedSet,
  changes: DefinitionChanges,
  limit: number,
): ListedChange[] {
  const fields = new Map<string, FieldChange[]>();
  for (const field of listFieldChanges(before.compiled, after.compiled, changes)) {
    const key = `${field.kind} ${field.id}`;
    fields.set(key, [...(fields.get(key) ?? []), field]);
  }
  const list = (how: ListedChange['how'], { origins }: CheckedSet): ListedChange[] =>
    changeKinds.flatMap((kind) =>
      changes[kind][how].map((id) => ({
        kind,
        id,
        how,
        ...findOrigin(origins, kind, id),
        fields: describeFields(fields.get(`${kind} ${id}`) ?? []),
      })),
    );
  const changed = list('changed', after);
  const isDirect = (change: ListedChange) => change.fields.length > 0;
  return [
    ...changed.filter(isDirect),
    ...list('added', after),
    ...list('removed', before),
    ...changed.filter((change) => !isDirect(change)),
  ].slice(0, limit);
}

/** Leaves out the kind and the syntax of fields, which follow from the syntax of the attribute. */
export function describeFields(differences: readonly FieldChange[]): FieldText[] {
  return differences
    .filter(({ path }) => !path.includes('fields') || path.at(-1) === 'field')
    .map(({ path, before, after }) => ({
      path: path.filter((_, step) => path[step] !== 'fields' && path[step - 1] !== 'fields').join('.'),
      ...(before === undefined ? {} : { before: textOf(before) }),
      ...(after === undefined ? {} : { after: textOf(after) }),
    }));
}

function textOf(value: unknown): string {
  return typeof value === 'object' ? '' : String(value);
}

const enumKinds = ['integerEnums', 'bitmapEnums', 'oidEnums'] as const;

function findOrigin(origins: CheckedSet['origins'], kind: ChangeKind, id: string): Origin | undefined {
  const kinds: readonly DefinitionKind[] = kind === 'enums' ? enumKinds : [kind];
  for (const each of kinds) {
    const file = origins[each].get(id);
    if (file !== undefined) return { file: file.name, line: file.content.lines.get(id) ?? 1 };
  }
  return undefined;
}
