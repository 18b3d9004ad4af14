import type { CompiledDefinitions, CompiledObject } from '../compiler/compiled-definitions.ts';
import type { RawDefinitions, RawObject } from '../schema/raw-definitions.ts';
import { checkAttribute } from './attribute-style.ts';
import { checkFields } from './field-style.ts';
import type { ReportStyle, StyleProblem } from './style-rules.ts';

/** Where a set does not follow the style guide, in the order of its objects. */
export function checkStyle(raw: RawDefinitions, definitions: CompiledDefinitions): StyleProblem[] {
  const problems: StyleProblem[] = [];
  const report: ReportStyle = (rule, path, message) => {
    problems.push({ level: 'warning', rule, path, message });
  };
  const grouped = new Set([...definitions.objectGroups.values()].flatMap(({ objects }) => objects));
  for (const [id, object] of definitions.objects) {
    checkObject(object, raw.objects.get(id)!, definitions, report);
    if (object.collect === 'on_request' && !grouped.has(id)) {
      report(
        'style-ungrouped',
        ['objects', id],
        `“${id}” is collected on request only, and no object group contains it. Add it to one, or remove \`collect: on_request\`.`,
      );
    }
    for (const attribute of object.attributes.values()) checkAttribute(id, attribute, report);
  }
  checkFields(definitions, report);
  return problems;
}

function checkObject(
  object: CompiledObject,
  { mib, object: entry, discovery_attribute }: RawObject,
  definitions: CompiledDefinitions,
  report: ReportStyle,
): void {
  const { id, type, index } = object;
  // A table that feeds two records is two objects: the second one has a suffix.
  if (id !== `${mib}::${entry}` && !id.startsWith(`${mib}::${entry}.`)) {
    const message = `“${id}” is not made of \`mib\` and \`object\`, which would be “${mib ?? '?'}::${entry ?? '?'}”. Make the three agree.`;
    report('style-id', ['objects', id], message);
  }
  if (type === undefined) {
    report('style-type', ['objects', id], `“${id}” has no type. Add the object type whose interval fits.`);
  }
  if (index.length > 0 && discovery_attribute === undefined) {
    const message = `“${id}” has no discovery_attribute. Name a short column that every agent fills for every row.`;
    report('style-discovery', ['objects', id], message);
  }
  if (index.length > 0 && object.table === id && !hasRowLabel(object, definitions)) {
    const message = `Rows of “${id}” have no label. Name a part of the index, or set \`tag: true\` on a column that identifies the row for people.`;
    report('style-identity', ['objects', id], message);
  }
}

function hasRowLabel(
  { id, index, labels, attributes }: CompiledObject,
  { objects, tables }: CompiledDefinitions,
): boolean {
  if (index.some(({ field }) => field !== undefined) || labels !== undefined) return true;
  if ([...attributes.values()].every(({ fields }) => fields.length === 0)) return true;
  const members = tables.get(id) ?? [];
  return members.some((member) => [...objects.get(member)!.attributes.values()].some(({ tag }) => tag));
}
