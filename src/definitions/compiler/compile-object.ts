import { compareOids, type Oid } from '../../model/oid.ts';
import type { DefinitionRule } from '../definition-rules.ts';
import type { UnlinkedAttribute } from '../keywords/attribute-keywords.ts';
import { compileKeywords, hashedParts, type ReportKeywordProblem } from '../keywords/keyword.ts';
import { findReadAttributes, type ObjectParts, objectKeywords } from '../keywords/object-keywords.ts';
import { ownAttributes } from '../own-attributes.ts';
import { parentOid } from '../parent-oid.ts';
import type { RawObject } from '../schema/raw-definitions.ts';
import { hashText } from './content-hash.ts';

/** An object before the definitions that it names are looked up. */
export interface UnlinkedObject extends ObjectParts {
  /** The attribute to walk if the object is a table: the one that it names, else the column with the lowest OID. */
  readonly discoveryAttribute: string | undefined;
  /** Of everything in the object that polling and records depend on, whatever the order of keys. */
  readonly hash: string;
  readonly problems: readonly UnlinkedProblem[];
}

export interface UnlinkedProblem {
  readonly rule: DefinitionRule;
  readonly message: string;
  readonly path: readonly (string | number)[];
}

type Attributes = ObjectParts['attributes'];

export function compileObject(raw: RawObject): UnlinkedObject {
  const problems: UnlinkedProblem[] = [];
  const report: ReportKeywordProblem = (rule, path, message) => {
    problems.push({ rule, path, message });
  };
  const named = compileKeywords(objectKeywords, raw, { read: findReadAttributes(raw), report });
  const { attributes, index, augments } = named;
  const discoveryAttribute = findDiscoveryAttribute(named, report);
  const parts = { ...named, discoveryAttribute, rows: findConditions(named, discoveryAttribute, report) };
  checkColumns(attributes, index.length > 0 || augments !== undefined, report);
  const texts = [...attributes.values()].map((attribute) => attribute.text).sort();
  const hash = hashText(JSON.stringify([...hashed(parts), collidingNames(attributes), texts]));
  return { ...parts, hash, problems };
}

const hashed = hashedParts(
  objectKeywords,
  ['index', 'discoveryAttribute', 'augments', 'type'],
  ['attributes'],
);

function findDiscoveryAttribute(
  { discoveryAttribute: named, attributes }: ObjectParts,
  report: ReportKeywordProblem,
): string | undefined {
  if (named !== undefined && attributes.get(named)?.at === undefined && attributes.has(named)) return named;
  const own = [...ownAttributes(attributes)];
  const lowest = own.length === 0 ? undefined : own.reduce(lowerColumn).name;
  if (named !== undefined) {
    const instead = lowest === undefined ? 'nothing' : `“${lowest}”`;
    const what = attributes.has(named) ? 'belongs to another table' : 'is not an attribute of this object';
    const message = `“${named}” ${what}, so ${instead} is walked. Name one of its attributes.`;
    report('unknown-discovery-attribute', ['discovery_attribute'], message);
  }
  return lowest;
}

/** The conditions for rows, each with an attribute of the object. */
function findConditions(
  { rows, attributes }: ObjectParts,
  discoveryAttribute: string | undefined,
  report: ReportKeywordProblem,
): ObjectParts['rows'] {
  return rows?.flatMap((condition) => {
    const attribute = condition.attribute ?? discoveryAttribute;
    if (attribute !== undefined && attributes.get(attribute)?.at === undefined && attributes.has(attribute))
      return [{ ...condition, attribute }];
    const message = `“${attribute}” is not an attribute of this object, so its condition is left out. Add it: an attribute that only a condition reads needs no name.`;
    report('unknown-column', ['rows', 'where', attribute ?? ''], message);
    return [];
  });
}

function lowerColumn<Attribute extends { readonly column: Oid }>(
  left: Attribute,
  right: Attribute,
): Attribute {
  return compareOids(left.column, right.column) <= 0 ? left : right;
}

/** The columns of a table are children of one entry; scalars may also be in neighbouring groups. */
function checkColumns(attributes: Attributes, isTable: boolean, report: ReportKeywordProblem): void {
  const counts = new Map<Oid, number>();
  const own = [...ownAttributes(attributes)];
  for (const { column } of own) {
    const parent = parentOid(column);
    counts.set(parent, (counts.get(parent) ?? 0) + 1);
  }
  if (counts.size < 2) return;
  const [entry, members] = [...counts].reduce((most, next) => (next[1] > most[1] ? next : most));
  if (members * 2 <= own.length) return;
  const root = isTable ? entry : parentOid(entry);
  for (const { name, column } of own) {
    if (isTable ? parentOid(column) === root : column.startsWith(`${root}.`)) continue;
    const message = `“${name}” has the OID .${column}, but the other columns of this object are under .${entry}. Correct the OID. If the column belongs to another table, give it an object of its own: with “augments: THIS OBJECT” where the other table has the same index, so that it is read only where it has rows, or else with its own index.`;
    report('oid-outside-object', ['attributes', name, 'oid'], message);
  }
}

/** Attributes that write a field of an earlier attribute. The last one wins, so here the order of keys matters. */
function collidingNames(attributes: Attributes): string[] {
  const writers = new Map<string, UnlinkedAttribute>();
  return [...attributes.values()].flatMap((attribute) =>
    attribute.fields.flatMap(({ field }) => {
      const earlier = writers.get(field);
      writers.set(field, attribute);
      if (earlier === undefined || names(attribute, earlier) || names(earlier, attribute)) return [];
      return [earlier.name, attribute.name];
    }),
  );
}

function names({ overrides }: UnlinkedAttribute, other: UnlinkedAttribute): boolean {
  return overrides?.[1] === other.name;
}
