import type { AttributeRef, CompiledAttribute } from '../../../src/internal.ts';
import type { PlanContext, PlanDefinitions } from './compile-plan.ts';
import type { RowScale } from './poll-plan.ts';

/** The columns that an attribute is scaled by: to be read wherever it is, at its own interval. */
export function scaleColumnsOf(
  { scale }: CompiledAttribute,
  { objects }: PlanDefinitions,
): readonly CompiledAttribute[] {
  if (scale === undefined) return none;
  return [scale.prefix, scale.precision].flatMap((ref) =>
    ref === undefined ? [] : [attributeAt(ref, objects)],
  );
}

const none: readonly CompiledAttribute[] = [];

/** Once slots are known. */
export function compileRowScale(
  { scale }: CompiledAttribute,
  instances: readonly string[],
  { book, definitions: { objects } }: PlanContext,
): RowScale | undefined {
  if (scale === undefined) return undefined;
  const slotOf = (ref: AttributeRef | undefined) =>
    ref && book.find(attributeAt(ref, objects).column, instances)!.firstSlot;
  return { factor: scale.factor, prefixSlot: slotOf(scale.prefix), precisionSlot: slotOf(scale.precision) };
}

function attributeAt(
  { object, attribute }: AttributeRef,
  objects: PlanDefinitions['objects'],
): CompiledAttribute {
  return objects.get(object)!.attributes.get(attribute)!;
}
