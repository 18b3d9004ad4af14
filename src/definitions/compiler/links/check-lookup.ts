import type { IndexPart } from '../../index/index-part.ts';
import type { UnlinkedAttribute } from '../../keywords/attribute-keywords.ts';
import type { DefinitionPath } from '../../schema/raw-definitions.ts';
import type { AttributeRef } from '../compiled-definitions.ts';
import type { ProblemList } from '../problem-list.ts';

/** Checks an attribute that is read at a part of the index. */
export function checkLookup(
  { object, attribute: name }: AttributeRef,
  attribute: UnlinkedAttribute,
  index: readonly IndexPart[],
  problems: ProblemList,
): void {
  const { at = [], tag, fields } = attribute;
  const path = ['objects', object, 'attributes', name, 'at'] as const;
  const outside = at.find((part) => part >= index.length);
  if (outside !== undefined) {
    const parts = index.length === 1 ? 'one part' : `${index.length} parts`;
    const message = `“${name}” is read at part ${outside + 1} of the index, but the index of “${object}” has ${parts}. Name one of them; 1 is the first.`;
    problems.add('wrong-lookup', path, message);
  }
  const value = (['metric', 'overrides', 'rediscover', 'scale', 'sensor'] as const).find(
    (key) => attribute[key] !== undefined,
  );
  if (value !== undefined) {
    const message = `“${name}” has \`at\`, which makes it a label, and \`${value}\`, which only values have. Remove one of the two.`;
    problems.add('wrong-lookup', path, message);
  } else if (!tag && fields.length > 0) {
    const message = `“${name}” has \`at\`, but it is no label. Add \`tag: true\`, or remove its name and name it in a template.`;
    problems.add('wrong-lookup', path, message);
  }
}

/** Reports that a state, a limit or a scale names an attribute that is read at a part of the index. */
export function reportLookup(name: string, path: DefinitionPath, problems: ProblemList): void {
  const message = `“${name}” is read in another table, because it has \`at\`. Name an attribute that is read at the rows of this one.`;
  problems.add('wrong-lookup', path, message);
}
