import type { UnlinkedAttribute } from '../../keywords/attribute-keywords.ts';
import { findSyntax } from '../../syntax/syntax-table.ts';
import type { AttributeRef, CompiledScale } from '../compiled-definitions.ts';
import type { ProblemList } from '../problem-list.ts';
import { reportLookup } from './check-lookup.ts';
import type { ColumnFinder } from './column-finder.ts';
import type { UnlinkedObjects } from './unlinked-objects.ts';

/** Finds the attributes that a scale names: in the attribute's own object, then in the objects that it augments. */
export function linkScale(
  ref: AttributeRef,
  objects: UnlinkedObjects,
  finder: ColumnFinder,
  problems: ProblemList,
): CompiledScale | undefined {
  const own = objects.get(ref.object)!.attributes.get(ref.attribute)!;
  const path = ['objects', ref.object, 'attributes', ref.attribute, 'scale'] as const;
  if (!isScalable(own)) {
    const message = `The scale of “${ref.attribute}” is ignored, because the attribute is not a numeric gauge. Give it \`metric: gauge\` and a numeric syntax, or remove the scale.`;
    problems.add('scale-ignored', path, message);
    return undefined;
  }
  const { factor = 1, offset, prefix, precision, divisor, times, unit } = own.scale ?? {};
  const find = (name: string | undefined, part: string): AttributeRef | undefined => {
    if (name === undefined) return undefined;
    const found = finder.find(name);
    if (found === undefined) {
      const hint = problems.suggest(name, objects.get(ref.object)!.attributes);
      const message = `Neither this object nor one that it augments has an attribute “${name}”.${hint} Without it the scale of the values is unknown.`;
      problems.add('unknown-scale', [...path, part], message);
    } else if (objects.get(found.object)!.attributes.get(name)!.scale !== undefined) {
      const message = `“${name}” has a scale of its own, so it cannot be the ${part} of “${ref.attribute}”. Name a column that is a plain number.`;
      problems.add('scale-circle', [...path, part], message);
      return undefined;
    } else if (finder.isLookup(found)) reportLookup(name, [...path, part], problems);
    return found;
  };
  const unitOf = find(unit?.of, 'unit');
  const scale: CompiledScale = {
    factor,
    prefix: find(prefix, 'prefix'),
    precision: find(precision, 'precision'),
    ...(offset === undefined ? {} : { offset }),
  };
  if (divisor === undefined && times === undefined && unit === undefined) return scale;
  return {
    ...scale,
    divisor: find(divisor, 'divisor'),
    times: find(times, 'times'),
    unit: unitOf && { ...unit, of: unitOf },
  };
}

function isScalable({ metric, tag, fields, sensor, syntax }: UnlinkedAttribute): boolean {
  if (sensor !== undefined) return findSyntax(syntax)?.kind === 'number';
  return metric === 'gauge' && !tag && fields[0]?.kind === 'number';
}
