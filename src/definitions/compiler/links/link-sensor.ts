import type { UnlinkedAttribute } from '../../keywords/attribute-keywords.ts';
import { classesIn } from '../../keywords/sensor.ts';
import type { DefinitionPath } from '../../schema/raw-definitions.ts';
import { findSyntax } from '../../syntax/syntax-table.ts';
import { sensorClasses } from '../../vocabulary/sensor-classes.ts';
import type { SensorLimit } from '../../vocabulary/sensor-words.ts';
import type { AttributeRef, CompiledSensor } from '../compiled-definitions.ts';
import type { ProblemList } from '../problem-list.ts';
import type { ColumnFinder } from './column-finder.ts';

/** Finds the attributes that a sensor names, and checks that it can have a value. */
export function linkSensor(
  ref: AttributeRef,
  own: UnlinkedAttribute,
  finder: ColumnFinder,
  problems: ProblemList,
): CompiledSensor | undefined {
  const { sensor } = own;
  if (sensor === undefined) return undefined;
  const path = ['objects', ref.object, 'attributes', ref.attribute, 'sensor'] as const;
  reportIncomplete(own, path, problems);
  reportUnit(own, path, problems);
  const { class: kind, part, direction, state, location } = sensor;
  const of =
    typeof kind === 'string'
      ? undefined
      : finder.attribute(kind.of, [...path, 'class', 'of'], 'unknown-class');
  const stateOf = state?.of === undefined ? ref : finder.attribute(state.of, [...path, 'state', 'of']);
  return {
    class: typeof kind === 'string' ? kind : { ...kind, of: of ?? ref },
    name: finder.template(sensor.name, [...path, 'name']),
    location: location && finder.template(location, [...path, 'location']),
    part,
    direction,
    state: state && stateOf && { of: stateOf, values: state.values },
    limits: Object.entries(sensor.limits).flatMap(([name, limit]) => {
      const found = typeof limit === 'number' ? limit : finder.attribute(limit, [...path, 'limits', name]);
      return found === undefined ? [] : [[name as SensorLimit, found] as const];
    }),
  };
}

function reportIncomplete(
  { name, sensor, syntax }: UnlinkedAttribute,
  path: DefinitionPath,
  problems: ProblemList,
): void {
  const kind = findSyntax(syntax)?.kind;
  if (classesIn(sensor!.class).length === 0) {
    const message = `The class of “${name}” depends on an attribute, but there are no classes, so no row is a sensor. Write \`values\`, \`contains\` or \`otherwise\`.`;
    problems.add('sensor-incomplete', [...path, 'class'], message);
  } else if (sensor!.class === 'state') {
    if (sensor!.state !== undefined && Object.keys(sensor!.state.values).length > 0) return;
    const message = `“${name}” has the class state, but \`state\` names no values, so all are unknown. Name those that are ok, warning and critical.`;
    problems.add('sensor-incomplete', path, message);
  } else if (kind !== undefined && kind !== 'number' && kind !== 'counter') {
    const message = `“${name}” measures something, but its syntax ${syntax} makes no number. Choose one that does; NumberInText reads “23.5 C”.`;
    problems.add('sensor-incomplete', [...path.slice(0, -1), 'syntax'] as unknown as DefinitionPath, message);
  }
}

/** A unit that the syntax or the file gives must be that of the class. A number without a unit has that of the class. */
function reportUnit(
  { name, sensor, syntax, unit = findSyntax(syntax)?.unit }: UnlinkedAttribute,
  path: DefinitionPath,
  problems: ProblemList,
): void {
  const kind = sensor!.class;
  if (unit === undefined || kind === 'state') return;
  const other = classesIn(kind).find((each) => each !== 'state' && sensorClasses[each].unit !== unit);
  if (other === undefined) return;
  const wanted = (sensorClasses[other] as { readonly unit: string | undefined }).unit;
  const message = `“${name}” has the unit “${unit}”, but a sensor of class ${other} has “${wanted ?? 'none'}”. Choose a syntax of that unit, or one without a unit and a scale.`;
  problems.add('vocabulary-unit', path, message);
}
