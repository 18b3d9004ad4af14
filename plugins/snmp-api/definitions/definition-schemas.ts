import { listOf } from '../../../src/http/index.ts';
import { changeKinds, Type } from '../../../src/index.ts';

const ids = listOf(Type.String());
const changesOfKind = Type.Object({ added: ids, changed: ids, removed: ids }, { title: 'ChangedIds' });

/** The differences between two generations: ids by kind. */
export const definitionChangesSchema = Type.Object(
  {
    objects: changesOfKind,
    objectGroups: changesOfKind,
    deviceGroups: changesOfKind,
    notifications: changesOfKind,
    enums: changesOfKind,
    devices: changesOfKind,
    sysObjectIds: changesOfKind,
    networks: changesOfKind,
  },
  { title: 'DefinitionChanges' },
);

const fieldText = Type.Object(
  {
    path: Type.String({ description: 'keys and positions, joined by dots' }),
    before: Type.Optional(
      Type.String({ description: 'absent where the field is new; empty for a list or a whole attribute' }),
    ),
    after: Type.Optional(Type.String({ description: 'absent where the field is gone' })),
  },
  { title: 'FieldText' },
);

/** A definition that differs between two generations. */
export const listedChangeSchema = Type.Object(
  {
    kind: Type.Union(changeKinds.map((kind) => Type.Literal(kind))),
    id: Type.String(),
    how: Type.Union([Type.Literal('added'), Type.Literal('changed'), Type.Literal('removed')]),
    file: Type.Optional(Type.String({ description: 'where it is; for a removed one, where it was' })),
    line: Type.Optional(Type.Integer({ description: 'counted from 1' })),
    fields: listOf(fieldText),
  },
  {
    title: 'ListedChange',
    description:
      'a definition that differs, with the fields that differ in it and without secrets; a changed one without fields changed through something that it depends on',
  },
);

/** An error or a warning about a definition file. */
export const definitionProblemSchema = Type.Object(
  {
    level: Type.Union([Type.Literal('error'), Type.Literal('warning')]),
    file: Type.String(),
    line: Type.Integer({ description: 'counted from 1' }),
    column: Type.Integer({ description: 'counted from 1' }),
    rule: Type.String({ description: 'one of docs/errors.md' }),
    message: Type.String(),
  },
  { title: 'DefinitionProblem' },
);
