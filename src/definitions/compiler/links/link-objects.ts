import type { IndexPart } from '../../index/index-part.ts';
import type { LinkedAttributePart } from '../../keywords/attribute-keywords.ts';
import type { RawDefinitions } from '../../schema/raw-definitions.ts';
import type { CompileCache } from '../compile-cache.ts';
import type { UnlinkedObject } from '../compile-object.ts';
import type { CompiledAttribute, CompiledEnum, CompiledObject } from '../compiled-definitions.ts';
import { hashText } from '../content-hash.ts';
import type { ProblemList } from '../problem-list.ts';
import type { UnchangedParts } from '../unchanged-parts.ts';
import { orderByAugments } from './augment-order.ts';
import { checkLookup } from './check-lookup.ts';
import { ColumnFinder } from './column-finder.ts';
import { EnumFinder } from './enum-finder.ts';
import { linkScale } from './link-scale.ts';
import { linkSensor } from './link-sensor.ts';
import { followOverrides } from './override-chains.ts';
import { followReplacements } from './replaced-objects.ts';
import { UnlinkedObjects } from './unlinked-objects.ts';

/** What linking needs. */
export interface LinkContext {
  readonly raw: RawDefinitions;
  readonly enums: ReadonlyMap<string, CompiledEnum>;
  readonly oidNamesHash: string;
  readonly everyMsByType: ReadonlyMap<string, number>;
  readonly cache: CompileCache;
  readonly problems: ProblemList;
  readonly unchanged: UnchangedParts | undefined;
}

/** Every object with its record, index, enums and overrides. Objects that cannot get an index are left out. */
export function linkObjects(context: LinkContext): Map<string, CompiledObject> {
  const { raw, cache, problems, unchanged } = context;
  for (const [id, object] of raw.objects) {
    if (unchanged?.findObject(id) !== undefined) continue;
    for (const { rule, path, message } of cache.objectOf(object).problems)
      problems.add(rule, ['objects', id, ...path], message);
  }
  const order = orderByAugments(raw.objects, problems);
  const own = new UnlinkedObjects(raw.objects, order, cache);

  const enums = new EnumFinder(context.enums, context.oidNamesHash, problems);
  const linked = new Map<string, CompiledObject>();
  for (const id of order) {
    const parent = linked.get(raw.objects.get(id)?.augments ?? '');
    linked.set(id, takeUnchanged(id, parent, context) ?? linkObject(id, parent, own, enums, context));
  }
  return new Map([...own.keys()].map((id) => [id, linked.get(id)!]));
}

/** The object as it was compiled before, with the hash of its interval now. */
function takeUnchanged(
  id: string,
  parent: CompiledObject | undefined,
  { unchanged, everyMsByType, cache }: LinkContext,
): CompiledObject | undefined {
  const found = unchanged?.findObject(id);
  if (found === undefined) return undefined;
  const { object, links } = found;
  if (object.type !== undefined && !everyMsByType.has(object.type)) return undefined;
  const hash = hashLinks(links, parent, object.type, everyMsByType);
  return cache.keep(object, { id, hash, links }, () => (hash === object.hash ? object : { ...object, hash }));
}

function hashLinks(
  links: string,
  parent: CompiledObject | undefined,
  type: string | undefined,
  everyMsByType: ReadonlyMap<string, number>,
): string {
  const everyMs = type === undefined ? null : everyMsByType.get(type);
  return hashText(JSON.stringify([links, parent?.hash, everyMs]));
}

function linkObject(
  id: string,
  parent: CompiledObject | undefined,
  objects: UnlinkedObjects,
  enums: EnumFinder,
  { everyMsByType, cache, problems }: LinkContext,
): CompiledObject {
  const own = objects.get(id)!;
  const { augments, type } = own;
  if (type !== undefined && !everyMsByType.has(type)) {
    problems.addUnknown(
      ['objects', id, 'type'],
      'object type',
      type,
      'the device’s interval is used',
      everyMsByType,
    );
  }
  if (parent !== undefined && own.index.length > 0) {
    const message = `“${id}” has an index and augments “${augments}”, whose index is used. Remove one of the two.`;
    problems.add('index-and-augments', ['objects', id, 'index'], message);
  }
  const index = parent?.index ?? own.index;
  const finder = new ColumnFinder(id, objects, index, problems);
  const linked = linkAttributes(id, own, index, objects, enums, finder, problems);
  const named: unknown[] = [id, own.hash];
  if (parent === undefined) {
    index.forEach((part, position) => {
      const path = ['objects', id, 'index', position, 'syntax'] as const;
      const found = part.column && enums.find(part.syntax, part.column, path);
      if (found) named.push([position, found.hash]);
    });
  }
  const labels = own.labels?.map(
    ([label, steps]) => [label, finder.template(steps, ['objects', id, 'labels', label])] as const,
  );
  const replaces = own.replaces && followReplacements(id, objects, problems);
  if (replaces !== undefined) named.push(['replaces', replaces]);
  const links = hashText(JSON.stringify([...named, ...[...linked.values()].map(({ text }) => text).sort()]));
  const hash = hashLinks(links, parent, type, everyMsByType);
  return cache.keep(own, { id, hash, links }, () => ({
    id,
    table: own.into === undefined ? (parent?.table ?? id) : id,
    record: own.into ?? parent?.record ?? id,
    labels,
    augments,
    index,
    type,
    collect: own.collect,
    cost: own.cost ?? (index.length === 0 ? 'scalar' : 'small'),
    replaces,
    discoveryAttribute: index.length === 0 ? undefined : own.discoveryAttribute,
    rows: own.rows,
    attributes: new Map(
      [...own.attributes].map(([name, { text: _, ...parts }]) => [
        name,
        { ...parts, ...(linked.get(name) ?? unlinked).parts },
      ]),
    ),
    hash,
  }));
}

interface AttributeLinks {
  /** The types demand one for each keyword that names other definitions. */
  readonly parts: Pick<CompiledAttribute, LinkedAttributePart | 'enum'>;
  /** Everything that the attribute depends on outside its own object; a part of the hash. */
  readonly text: string;
}

/** The links of attributes that have any. */
function linkAttributes(
  id: string,
  own: UnlinkedObject,
  index: readonly IndexPart[],
  objects: UnlinkedObjects,
  enums: EnumFinder,
  finder: ColumnFinder,
  problems: ProblemList,
): ReadonlyMap<string, AttributeLinks> {
  const linked = new Map<string, AttributeLinks>();
  for (const [name, attribute] of own.attributes) {
    const ref = { object: id, attribute: name };
    const found = enums.find(attribute.syntax, attribute.column, [
      'objects',
      id,
      'attributes',
      name,
      'syntax',
    ]);
    const scale = attribute.scale && linkScale(ref, objects, finder, problems);
    const sensor = linkSensor(ref, attribute, finder, problems);
    if (attribute.at !== undefined) checkLookup(ref, attribute, index, problems);
    if (
      found === undefined &&
      attribute.overrides === undefined &&
      scale === undefined &&
      sensor === undefined
    )
      continue;
    const chain = attribute.overrides && followOverrides(ref, objects, problems);
    const texts = chain?.map((other) => objects.get(other.object)?.attributes.get(other.attribute)?.text);
    // A sensor is a part of the attribute's own text, and what it names is in this object or in one that it augments.
    const text = JSON.stringify([name, found?.hash, chain, texts, scale]);
    linked.set(name, { parts: { enum: found?.id, overrides: chain ?? [], scale, sensor }, text });
  }
  return linked;
}

const unlinked: Pick<AttributeLinks, 'parts'> = {
  parts: { enum: undefined, overrides: [], scale: undefined, sensor: undefined },
};
