import type { UnlinkedAttribute } from '../../keywords/attribute-keywords.ts';
import type { UnlinkedObject } from '../compile-object.ts';
import type { AttributeRef, CompiledScale } from '../compiled-definitions.ts';
import type { ProblemList } from '../problem-list.ts';

/** Finds the attributes that a scale names: in the attribute's own object, then in the objects that it augments. */
export function linkScale(
  ref: AttributeRef,
  objects: ReadonlyMap<string, UnlinkedObject>,
  problems: ProblemList,
): CompiledScale | undefined {
  const own = objects.get(ref.object)!.attributes.get(ref.attribute)!;
  const path = ['objects', ref.object, 'attributes', ref.attribute, 'scale'] as const;
  if (!isScalable(own)) {
    const message = `The scale of “${ref.attribute}” is ignored, because the attribute is not a numeric gauge. Give it \`metric: gauge\` and a numeric syntax, or remove the scale.`;
    problems.add('scale-ignored', path, message);
    return undefined;
  }
  const find = (part: 'prefix' | 'precision'): AttributeRef | undefined => {
    const name = own.scale?.[part];
    if (name === undefined) return undefined;
    const holder = augmentLineOf(ref.object, objects).find((id) => objects.get(id)?.attributes.has(name));
    if (holder === undefined) {
      const hint = problems.suggest(name, objects.get(ref.object)!.attributes);
      const message = `Neither this object nor one that it augments has an attribute “${name}”.${hint} Without it the scale of the values is unknown.`;
      problems.add('unknown-scale', [...path, part], message);
      return undefined;
    }
    if (objects.get(holder)!.attributes.get(name)!.scale !== undefined) {
      const message = `“${name}” has a scale of its own, so it cannot be the ${part} of “${ref.attribute}”. Name a column that is a plain number.`;
      problems.add('scale-circle', [...path, part], message);
      return undefined;
    }
    return { object: holder, attribute: name };
  };
  const offset = own.scale?.offset;
  return {
    factor: own.scale?.factor ?? 1,
    prefix: find('prefix'),
    precision: find('precision'),
    ...(offset === undefined ? {} : { offset }),
  };
}

function isScalable({ metric, tag, fields }: UnlinkedAttribute): boolean {
  return metric === 'gauge' && !tag && fields[0]?.kind === 'number';
}

/** The object, the object that it augments, and so on. Circles were left out before. */
function augmentLineOf(id: string, objects: ReadonlyMap<string, UnlinkedObject>): readonly string[] {
  const line: string[] = [];
  for (
    let next: string | undefined = id;
    next !== undefined && objects.has(next);
    next = objects.get(next)?.augments
  )
    line.push(next);
  return line;
}
