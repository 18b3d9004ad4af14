import assert from 'node:assert/strict';
import { decodeByHand, fieldsOf, scaleByHand } from './hand-decoding.ts';
import type { Answer, Walk } from './net-snmp-walk.ts';
import type { RawAttribute, RawDefinitions, RawObject } from './raw-definitions.ts';
import type { ShownRecord, ShownRow } from './shown-records.ts';

interface Subject {
  readonly id: string;
  readonly object: RawObject;
  readonly record: string;
  readonly seconds: number;
  readonly rows: readonly string[];
}

/**
 * The records that this walk must give, computed only from the definition files and the walk. Those of the vocabulary are left out:
 * `sensors.test.ts` checks how they are made, and the reviewed files what is in them.
 */
export function expectRecords(definitions: RawDefinitions, walk: Walk): ShownRecord[] {
  const columns = groupByColumn(definitions, walk);
  const subjects = listSubjects(definitions, columns);
  const overridden = findOverridden(subjects, columns);
  const titles = new Set(subjects.map(titleOf));
  return [...titles].map((title) => {
    const own = subjects.filter((subject) => titleOf(subject) === title);
    const { record, seconds } = own[0]!;
    const all = subjects.filter((subject) => subject.record === record);
    const rows = [...new Set(own.flatMap((subject) => subject.rows))];
    const index = definitions.objects[record]!.index ?? [];
    return {
      title,
      rows: rows.map((instance): ShownRow => {
        const labels = cutLabels(index, instance, definitions);
        const values: Record<string, string> = {};
        for (const subject of all) {
          if (!subject.rows.includes(instance)) continue;
          for (const [name, attribute] of Object.entries(subject.object.attributes)) {
            if (attribute.tag !== true && subject.seconds !== seconds) continue;
            if (attribute.name === undefined || attribute.sensor !== undefined) continue;
            if (overridden.has(`${subject.id} ${name} ${instance}`)) continue;
            const answerOf = (each: RawAttribute) => columns.get(columnOf(each))?.get(instance);
            const answer = answerOf(attribute);
            if (answer === undefined || isMissing(attribute, answer)) continue;
            const out = attribute.tag === true ? labels : values;
            if (attribute.scale === undefined) writeFields(attribute, answer, definitions, out);
            else writeScaled(attribute, answer, allAttributesOf(subject.object, definitions), answerOf, out);
          }
        }
        return { labels, values };
      }),
    };
  });
}

function titleOf({ record, seconds }: Subject): string {
  return `${record} every-${seconds}s`;
}

type Columns = ReadonlyMap<string, ReadonlyMap<string, Answer>>;

function groupByColumn({ objects }: RawDefinitions, walk: Walk): Columns {
  const columns = new Map<string, Map<string, Answer>>();
  for (const { attributes } of Object.values(objects)) {
    for (const attribute of Object.values(attributes)) columns.set(columnOf(attribute), new Map());
  }
  for (const [oid, answer] of walk) {
    for (let end = oid.lastIndexOf('.'); end > 0; end = oid.lastIndexOf('.', end - 1)) {
      columns.get(oid.slice(0, end))?.set(oid.slice(end + 1), answer);
    }
  }
  return columns;
}

/** Objects with rows: by their discovery attribute, or by any attribute of a scalar object. */
function listSubjects({ objects, seconds }: RawDefinitions, columns: Columns): Subject[] {
  const withFields = new Set<string>();
  const tableOf = (id: string) => chainOf(objects, id).at(-1)!;
  const isOfVocabulary = (id: string) =>
    chainOf(objects, id).some((each) => objects[each]!.record !== undefined);
  for (const [id, object] of Object.entries(objects)) {
    const attributes = Object.values(object.attributes);
    const hasField = attributes.some(({ name, sensor }) => name !== undefined && sensor === undefined);
    const hasSensor = attributes.some(({ sensor }) => sensor !== undefined);
    if (!isOfVocabulary(id) && (hasField || !hasSensor)) withFields.add(tableOf(id));
  }
  return Object.entries(objects).flatMap(([id, object]) => {
    const record = tableOf(id);
    if (isOfVocabulary(id) || !withFields.has(record)) return [];
    const isTable = objects[record]!.index !== undefined;
    const attributes = Object.values(object.attributes);
    const discovery = object.attributes[object.discovery_attribute ?? ''];
    const isThere = attributes.some((attribute) => columns.get(columnOf(attribute))!.has('0'));
    const found = isTable && discovery ? [...columns.get(columnOf(discovery))!.keys()] : [];
    const rows = isTable ? found : isThere ? ['0'] : [];
    return rows.length === 0 ? [] : [{ id, object, record, seconds: seconds[object.type ?? ''] ?? 60, rows }];
  });
}

/** The object, the object that it augments, and so on. */
function chainOf(objects: RawDefinitions['objects'], id: string): string[] {
  const { augments } = objects[id]!;
  return augments === undefined ? [id] : [id, ...chainOf(objects, augments)];
}

/** Each attribute with the instances at which an attribute that overrides it exists. */
function findOverridden(subjects: readonly Subject[], columns: Columns): Set<string> {
  const overridden = new Set<string>();
  for (const { object, rows } of subjects) {
    for (const attribute of Object.values(object.attributes)) {
      const { overrides } = attribute;
      if (overrides === undefined) continue;
      for (const row of rows) {
        if (columns.get(columnOf(attribute))!.has(row)) {
          overridden.add(`${overrides.object} ${overrides.attribute} ${row}`);
        }
      }
    }
  }
  return overridden;
}

function writeFields(
  { name = '', syntax, oid }: RawAttribute,
  answer: Answer,
  definitions: RawDefinitions,
  out: Record<string, string>,
): void {
  const names = syntax === 'EnumObjectIdentifier' ? definitions.oidNames : definitions.findNames(oid);
  const values = decodeByHand(syntax, answer, names);
  for (const [i, field] of fieldsOf(name, syntax).entries()) {
    const value = values[i];
    if (value !== undefined) out[field] = value;
  }
}

/** With those of the object that it augments, which a scale may name. */
function allAttributesOf(
  { attributes, augments = '' }: RawObject,
  { objects }: RawDefinitions,
): RawObject['attributes'] {
  return { ...objects[augments]?.attributes, ...attributes };
}

function writeScaled(
  { name = '', syntax, scale }: RawAttribute,
  answer: Answer,
  attributes: RawObject['attributes'],
  answerOf: (attribute: RawAttribute) => Answer | undefined,
  out: Record<string, string>,
): void {
  const { factor = 1, prefix, precision, ...others } = scale!;
  assert.deepEqual(others, {}, `no hand rule for the scale of ${name}`);
  const find = (column?: string) => (column === undefined ? 'none' : answerOf(attributes[column]!));
  const [number] = decodeByHand(syntax, answer, undefined);
  const value = scaleByHand(number, factor, find(prefix), find(precision));
  const [field] = fieldsOf(name, syntax);
  if (value !== undefined && field !== undefined) out[field] = value;
}

/** The device answers with one of these numbers where there is no value. */
function isMissing({ missing }: RawAttribute, answer: Answer): boolean {
  return answer.type === 'number' && missing?.map(String).includes(String(answer.number)) === true;
}

function columnOf({ oid }: RawAttribute): string {
  return oid.replace(/^\./, '');
}

/** The labels of an instance. An instance that cannot be decoded is marked with its arcs. */
function cutLabels(
  index: NonNullable<RawObject['index']>,
  instance: string,
  definitions: RawDefinitions,
): Record<string, string> {
  const arcs = index.length === 0 ? [] : instance.split('.').map(Number);
  const labels: Record<string, string> = {};
  let at = 0;
  let addressType: number | undefined;
  for (const { type, name, syntax, oid } of index) {
    const fixed = { IpAddress: 4, MacAddress: 6, Integer: 1, Integer32: 1, Unsigned32: 1 }[type];
    const implied = type.startsWith('Implicit') ? arcs.length - at : undefined;
    const length = fixed ?? implied ?? arcs[at++] ?? Number.NaN;
    const part = arcs.slice(at, at + length);
    at += length;
    const isOctets = fixed !== 1 && !type.endsWith('ObjectIdentifier');
    if (part.length !== length || (isOctets && part.some((arc) => arc > 255)))
      return { 'index.raw': instance };
    const answer = answerOf(type, part);
    if (name === undefined || syntax === undefined) continue;
    if (syntax === 'InetAddressType') addressType = part[0];
    const isHost = addressType === 16 && syntax.startsWith('IpAddress');
    const names = definitions.findNames(oid);
    const texts = isHost ? decodeByHand('OctetString', answer, names) : decodeByHand(syntax, answer, names);
    const [field] = fieldsOf(name, syntax);
    if (field === undefined) continue;
    if (texts[0] !== undefined) labels[field] = texts[0];
    else if (part.length > 0) labels['index.raw'] = instance;
  }
  return at === arcs.length ? labels : { 'index.raw': instance };
}

function answerOf(type: string, part: readonly number[]): Answer {
  if (type.endsWith('ObjectIdentifier')) return { type: 'oid', oid: part.join('.') };
  if (['Integer', 'Integer32', 'Unsigned32'].includes(type))
    return { type: 'number', number: BigInt(part[0]!) };
  return { type: 'octets', octets: Buffer.from(part) };
}
