import { Type } from '../../../../src/index.ts';
import { listOf } from '../../../../src/internal.ts';

const ids = listOf(Type.String());
const changesOfKind = Type.Object({ added: ids, changed: ids, removed: ids }, { title: 'ChangedIds' });

/** The differences between two generations: ids by kind. */
export const definitionChangesSchema = Type.Object(
  {
    objects: changesOfKind,
    objectGroups: changesOfKind,
    deviceGroups: changesOfKind,
    enums: changesOfKind,
    devices: changesOfKind,
    sysObjectIds: changesOfKind,
    networks: changesOfKind,
  },
  { title: 'DefinitionChanges' },
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
