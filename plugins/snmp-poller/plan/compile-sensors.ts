import {
  type AttributeRef,
  type CompiledAttribute,
  type CompiledSensor,
  columnNamesFor,
  createDecoder,
  findSyntax,
  type SensorClassName,
  type Syntax,
  scaleFor,
  sensorClasses,
  unitFor,
  wordFinder,
} from '../../../src/definitions/index.ts';
import { compileRowScale, requestScale } from './compile-columns.ts';
import { draftTemplate, draftText } from './compile-template.ts';
import type { ShapeObject } from './device-shape.ts';
import type { PlanContext } from './plan-context.ts';
import type { ColumnSource, SensorSection, SensorStatePlan } from './poll-plan.ts';

/** Requests the sensors of an object. The returned functions build their sections after slots are allocated. */
export function draftSensors(subject: ShapeObject, context: PlanContext): (() => SensorSection)[] {
  return [...subject.object.attributes.values()].flatMap((attribute) => {
    const { sensor } = attribute;
    if (sensor === undefined) return [];
    const instances = context.presence.instancesOf(subject, attribute);
    if (instances.length === 0) return [];
    return [draftSection(subject, attribute, sensor, instances, context)];
  });
}

function draftSection(
  { object }: ShapeObject,
  attribute: CompiledAttribute,
  sensor: CompiledSensor,
  instances: readonly string[],
  context: PlanContext,
): () => SensorSection {
  const { definitions, allocator, decodeOptions } = context;
  const { class: kind, state, part, direction } = sensor;
  const rows = { index: object.index, instances };
  const ref = { object: object.id, attribute: attribute.name };
  const attributeAt = (of: AttributeRef) => definitions.objects.get(of.object)!.attributes.get(of.attribute)!;
  const hasValue = kind !== 'state';
  if (hasValue) {
    allocator.request(attribute, instances, false);
    requestScale(attribute, instances, context);
  }
  if (state !== undefined) allocator.request(attributeAt(state.of), instances, false);
  const finishName = draftTemplate(sensor.name, rows, context);
  const finishLocation = sensor.location && draftTemplate(sensor.location, rows, context);
  const finishClass = typeof kind === 'string' ? undefined : draftText(kind.of, instances, context, true);
  for (const [, limit] of sensor.limits) {
    if (typeof limit !== 'number') allocator.request(attributeAt(limit), instances, true);
  }
  return () => {
    const syntax = syntaxOf(attribute, kind);
    const value = hasValue ? sourceOf(ref, attribute, syntax, attribute, instances, context) : undefined;
    const unitOfClass = (name: SensorClassName) => {
      const { unit, dimension } = sensorClasses[name] as { unit?: string; dimension?: Syntax['dimension'] };
      if (unit === undefined || dimension === undefined || typeof kind !== 'string') return unit;
      return unitFor({ unit, dimension }, decodeOptions);
    };
    return {
      ...ref,
      instances,
      ids: instances.map((instance) => `${attribute.name}.${instance}`),
      value,
      class: typeof kind === 'string' ? kind : { source: finishClass!(), find: wordFinder(kind) },
      unitOf: unitOfClass,
      name: finishName(),
      location: finishLocation?.(),
      part,
      direction,
      state: state && stateOf(state, attributeAt(state.of), instances, context),
      limits: sensor.limits.map(([name, limit]) => {
        if (typeof limit === 'number') return [name, limit] as const;
        const other = attributeAt(limit);
        const own = findSyntax(other.syntax)!;
        // A limit without a unit of its own is in the unit of the value.
        const as = own.unit === undefined && own.reading !== 'numberInText' ? syntax : own;
        const scaled = other.scale === undefined ? attribute : other;
        return [name, sourceOf(limit, other, as, scaled, instances, context)] as const;
      }),
    };
  };
}

/** A number without a unit is in the unit of the class, so the options that choose units of durations and percentages apply. */
function syntaxOf({ syntax: name }: CompiledAttribute, kind: CompiledSensor['class']): Syntax {
  const syntax = findSyntax(name)!;
  if (typeof kind !== 'string' || syntax.unit !== undefined) return syntax;
  const { dimension } = sensorClasses[kind] as { dimension?: Syntax['dimension'] };
  return dimension === undefined ? syntax : { ...syntax, dimension };
}

function sourceOf(
  { object, attribute: name }: AttributeRef,
  attribute: CompiledAttribute,
  syntax: Syntax,
  scaledAs: CompiledAttribute,
  instances: readonly string[],
  context: PlanContext,
): ColumnSource {
  const { definitions, allocator, decodeOptions } = context;
  return {
    object,
    attribute: name,
    column: attribute.column,
    decoder: createDecoder(syntax, columnNamesFor(definitions, syntax.name, attribute.column), decodeOptions),
    scale: scaleFor(syntax, decodeOptions),
    reading: syntax.reading,
    firstSlot: allocator.find(attribute.column, instances)?.firstSlot ?? 0,
    slots: undefined,
    rowScale: compileRowScale(scaledAs, instances, context),
    missing: attribute.missing && new Set(attribute.missing),
    isElsewhere: false,
  };
}

function stateOf(
  { of, values }: NonNullable<CompiledSensor['state']>,
  attribute: CompiledAttribute,
  instances: readonly string[],
  context: PlanContext,
): SensorStatePlan {
  const { syntax: name, column } = attribute;
  const source = sourceOf(of, attribute, findSyntax(name)!, attribute, instances, context);
  const names =
    source.reading === 'truth'
      ? truth
      : (source.decoder.names ?? columnNamesFor(context.definitions, name, column).column);
  return { source, values, names };
}

const truth: ReadonlyMap<number, string> = new Map([
  [1, 'true'],
  [2, 'false'],
]);
