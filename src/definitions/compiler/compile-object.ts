import { compareOids, normalizeOid, type Oid } from '../../model/oid.ts';
import { isImplied } from '../index/index-arcs.ts';
import type { IndexPart, IndexType } from '../index/index-part.ts';
import { parentOid } from '../parent-oid.ts';
import type { RawAttribute, RawObject } from '../schema/raw-definitions.ts';
import { findSyntax, suggestSyntax } from '../syntax/syntax-table.ts';
import type { CompiledAttribute, CompiledField } from './compiled-definitions.ts';
import { hashText } from './content-hash.ts';
import type { DefinitionRule } from './definition-rules.ts';

/** What an object says by itself, before it is linked to others. */
export interface UnlinkedObject {
  readonly attributes: ReadonlyMap<string, UnlinkedAttribute>;
  readonly index: readonly IndexPart[];
  /** What is to be walked if the object turns out to be a table. */
  readonly discoveryAttribute: string | undefined;
  /** Of all that its polling and its records depend on, whatever the order of keys. */
  readonly hash: string;
  readonly problems: readonly UnlinkedProblem[];
}

export interface UnlinkedAttribute {
  readonly compiled: Omit<CompiledAttribute, 'enum' | 'overrides' | 'scale'>;
  readonly overrides: RawAttribute['overrides'];
  readonly scale: RawAttribute['scale'];
  readonly text: string;
}

export interface UnlinkedProblem {
  readonly rule: DefinitionRule;
  readonly message: string;
  readonly path: readonly (string | number)[];
}

export function compileObject(raw: RawObject): UnlinkedObject {
  const problems: UnlinkedProblem[] = [];
  const attributes = new Map<string, UnlinkedAttribute>();
  for (const [name, attribute] of Object.entries(raw.attributes)) {
    attributes.set(name, compileAttribute(name, attribute, problems));
  }
  const index = compileIndex(raw.index ?? [], problems);
  const discoveryAttribute = findDiscoveryAttribute(raw, attributes, problems);
  checkColumns(attributes, index.length > 0 || raw.augments !== undefined, problems);
  const texts = [...attributes.values()].map((attribute) => attribute.text).sort();
  const order = collidingNames(attributes);
  const hash = hashText(JSON.stringify([index, discoveryAttribute, raw.augments, raw.type, order, texts]));
  return { attributes, index, discoveryAttribute, hash, problems };
}

function compileAttribute(name: string, raw: RawAttribute, problems: UnlinkedProblem[]): UnlinkedAttribute {
  const column = normalizeOid(raw.oid) ?? raw.oid;
  const { metric, tag = false, rediscover, overrides, scale } = raw;
  const syntax = findSyntax(raw.syntax);
  if (syntax === undefined) problems.push(unknownSyntax(raw.syntax, ['attributes', name, 'syntax']));
  const fields = fieldsOf(raw.name ?? name, raw.syntax);
  const unit = raw.unit === syntax?.unit ? undefined : raw.unit;
  const target = overrides && [overrides.object, overrides.attribute];
  const text = JSON.stringify([
    name,
    column,
    raw.syntax,
    fields,
    metric,
    tag,
    unit,
    rediscover,
    target,
    scale,
  ]);
  const { description } = raw;
  return {
    compiled: { name, column, syntax: raw.syntax, fields, metric, tag, unit, rediscover, description },
    overrides,
    scale,
    text,
  };
}

function fieldsOf(field: string, syntaxName: string): CompiledField[] {
  const syntax = findSyntax(syntaxName);
  if (syntax === undefined || syntax.kind === 'none') return [];
  const own = { field: field + syntax.suffix, syntax: syntax.name, kind: syntax.kind };
  const companion = syntax.companion && findSyntax(syntax.companion.syntax);
  if (syntax.companion === undefined || companion === undefined) return [own];
  return [own, { field: field + syntax.companion.suffix, syntax: companion.name, kind: companion.kind }];
}

function compileIndex(raw: NonNullable<RawObject['index']>, problems: UnlinkedProblem[]): IndexPart[] {
  return raw.map((part, position) => {
    const syntax = part.syntax ?? (part.name === undefined ? 'none' : naturalSyntax[part.type]);
    if (findSyntax(syntax) === undefined) problems.push(unknownSyntax(syntax, ['index', position, 'syntax']));
    if (isImplied(part.type) && position < raw.length - 1) {
      problems.push({
        rule: 'implied-part-not-last',
        message: `${part.type} takes all arcs that are left, but it is part ${position + 1} of ${raw.length}: rows keep their raw arcs as label. Move it to the end, or choose ${part.type.replace('Implicit', '')}.`,
        path: ['index', position, 'type'],
      });
    }
    const field = part.name === undefined ? undefined : fieldsOf(part.name, syntax)[0]?.field;
    return { type: part.type, field, syntax, column: part.oid && (normalizeOid(part.oid) ?? part.oid) };
  });
}

/** How a part is labelled that has a name and no syntax. */
const naturalSyntax: Readonly<Record<IndexType, string>> = {
  Integer: 'Integer',
  Integer32: 'Integer32',
  Unsigned32: 'Unsigned32',
  IpAddress: 'IpAddressNoSuffix',
  MacAddress: 'MacAddressNoSuffix',
  OctetString: 'OctetString',
  ImplicitOctetString: 'OctetString',
  ObjectIdentifier: 'ObjectIdentifier',
  ImplicitObjectIdentifier: 'ObjectIdentifier',
  Opaque: 'OctetString',
};

function findDiscoveryAttribute(
  raw: RawObject,
  attributes: UnlinkedObject['attributes'],
  problems: UnlinkedProblem[],
): string | undefined {
  const named = raw.discovery_attribute;
  if (named !== undefined && attributes.has(named)) return named;
  const columns = [...attributes.values()].map((attribute) => attribute.compiled);
  const lowest = columns.length === 0 ? undefined : columns.reduce(lowerColumn).name;
  if (named !== undefined) {
    const instead = lowest === undefined ? 'nothing' : `“${lowest}”`;
    problems.push({
      rule: 'unknown-discovery-attribute',
      message: `“${named}” is no attribute of this object; ${instead} is walked. Name one of its attributes.`,
      path: ['discovery_attribute'],
    });
  }
  return lowest;
}

function lowerColumn<Attribute extends { readonly column: Oid }>(
  left: Attribute,
  right: Attribute,
): Attribute {
  return compareOids(left.column, right.column) <= 0 ? left : right;
}

/** The columns of a table are children of one entry; scalars may also stand in groups beside one another. */
function checkColumns(
  attributes: UnlinkedObject['attributes'],
  isTable: boolean,
  problems: UnlinkedProblem[],
): void {
  const counts = new Map<Oid, number>();
  for (const { compiled } of attributes.values()) {
    const parent = parentOid(compiled.column);
    counts.set(parent, (counts.get(parent) ?? 0) + 1);
  }
  if (counts.size < 2) return;
  const [entry, members] = [...counts].reduce((most, next) => (next[1] > most[1] ? next : most));
  if (members * 2 <= attributes.size) return;
  const root = isTable ? entry : parentOid(entry);
  for (const { compiled } of attributes.values()) {
    const { name, column } = compiled;
    if (isTable ? parentOid(column) === root : column.startsWith(`${root}.`)) continue;
    problems.push({
      rule: 'oid-outside-object',
      message: `“${name}” has the OID .${column}, but this object is .${entry}. Correct the OID, or move the attribute to an object of its own.`,
      path: ['attributes', name, 'oid'],
    });
  }
}

/** Attributes of which the last one writes a field that an earlier one writes too: here the order of keys matters. */
function collidingNames(attributes: UnlinkedObject['attributes']): string[] {
  const writers = new Map<string, UnlinkedAttribute>();
  return [...attributes.values()].flatMap((attribute) =>
    attribute.compiled.fields.flatMap(({ field }) => {
      const earlier = writers.get(field);
      writers.set(field, attribute);
      if (earlier === undefined || names(attribute, earlier) || names(earlier, attribute)) return [];
      return [earlier.compiled.name, attribute.compiled.name];
    }),
  );
}

function names(attribute: UnlinkedAttribute, other: UnlinkedAttribute): boolean {
  return attribute.overrides?.attribute === other.compiled.name;
}

function unknownSyntax(name: string, path: UnlinkedProblem['path']): UnlinkedProblem {
  const nearest = suggestSyntax(name);
  const advice = nearest === undefined ? 'Choose one of the documented names.' : `Did you mean “${nearest}”?`;
  return { rule: 'unknown-syntax', message: `There is no syntax “${name}”. ${advice}`, path };
}
