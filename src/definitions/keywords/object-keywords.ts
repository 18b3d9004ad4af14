import { type Static, Type } from '../../typebox.ts';
import { vocabularyRecordNames } from '../vocabulary/records.ts';
import { AttributeSchema, compileAttribute, type UnlinkedAttribute } from './attribute-keywords.ts';
import { compileIndex, IndexPartSchema } from './index-keywords.ts';
import {
  type DeepReadonly,
  keywordWith,
  type PartsOf,
  type ReportKeywordProblem,
  schemasOf,
} from './keyword.ts';
import { Key, OneOf, Text } from './scalars.ts';
import { namesOfSensorIn } from './sensor.ts';
import { namesIn, parseTemplate, type TemplateStep } from './template.ts';

interface ObjectContext {
  /** The attributes that sensors, labels and scales of the object read. */
  readonly read: ReadonlySet<string>;
  readonly report: ReportKeywordProblem;
}

const keyword = keywordWith<ObjectContext>();

/** What the value of an attribute must be, as text, so that a row of its table belongs to an object. */
export interface RowCondition {
  /** Undefined for the discovery attribute, until the object is compiled. */
  readonly attribute: string | undefined;
  /** Undefined for all values. */
  readonly only: readonly string[] | undefined;
  readonly except: readonly string[];
}

const RowValues = (description: string) =>
  Type.Array(Type.Union([Type.Number(), Type.String({ maxLength: 256 })]), { description });

const rowValues = {
  only: Type.Optional(RowValues('Rows with one of these values, in which * stands for any text.')),
  except: Type.Optional(RowValues('Rows with none of these values.')),
};

/** OIDs are written with a dot in front, or without. */
function withoutDot(value: number | string): string {
  return String(value).replace(/^\.(?=[\d.]+$)/, '');
}

function conditionOf(
  attribute: string | undefined,
  { only, except = [] }: { readonly [Key in 'only' | 'except']?: readonly (number | string)[] | undefined },
): RowCondition {
  return { attribute, only: only?.map(withoutDot), except: except.map(withoutDot) };
}

/** From the cheapest to the most expensive: which objects of `auto` are kept when a device has a budget for few. */
export const costClasses = ['scalar', 'small', 'large', 'huge'] as const;

/** Every key of an object. */
export const objectKeywords = {
  mib: keyword({
    schema: Type.Optional(Text({ description: 'The MIB module.' })),
    affects: 'display',
    property: 'mib',
    compile: (mib) => mib,
  }),
  object: keyword({
    schema: Type.Optional(Text({ description: 'The entry in that module.' })),
    affects: 'display',
    property: 'entry',
    compile: (entry) => entry,
  }),
  type: keyword({
    schema: Type.Optional(
      Text({
        description:
          'A key of object_types. Without it, the interval is the device’s poll_interval, or 60 seconds.',
      }),
    ),
    affects: 'linking',
    property: 'type',
    compile: (type) => type,
  }),
  augments: keyword({
    schema: Type.Optional(
      Text({ description: 'The object whose index this one shares and into whose record it is merged.' }),
    ),
    affects: 'linking',
    property: 'augments',
    compile: (id) => id,
  }),
  index: keyword({
    schema: Type.Optional(
      Type.Array(IndexPartSchema, {
        description:
          'How instances are split and labelled. Without it, and without augments, all attributes are scalars.',
      }),
    ),
    affects: 'polling',
    property: 'index',
    compile: (parts = [], { report }) => compileIndex(parts, report),
  }),
  record: keyword({
    schema: Type.Optional(
      OneOf(vocabularyRecordNames, {
        description:
          'The record of docs/vocabulary.md that its rows land in, beside those of other objects. Without it, they are in a record with the id of the object.',
      }),
    ),
    affects: 'polling',
    property: 'into',
    compile: (record) => record,
  }),
  labels: keyword({
    schema: Type.Optional(
      Type.Record(Key, Text({}), {
        description:
          'Labels of its rows: for each a text with {…} for an attribute, for a column of the index, or for the whole index as {index}.',
      }),
    ),
    affects: 'linking',
    property: 'labels',
    compile: (labels): readonly (readonly [string, readonly TemplateStep[]])[] | undefined =>
      labels && Object.entries(labels).map(([label, text]) => [label, parseTemplate(text)] as const),
  }),
  discovery_attribute: keyword({
    schema: Type.Optional(Text({ description: 'The attribute that is walked to find the instances.' })),
    affects: 'polling',
    property: 'discoveryAttribute',
    compile: (name) => name,
  }),
  rows: keyword({
    schema: Type.Optional(
      Type.Object(
        {
          ...rowValues,
          where: Type.Optional(
            Type.Record(Key, Type.Object(rowValues, { additionalProperties: false }), {
              additionalProperties: false,
              description: 'The same for other attributes of the object, by name. All of it must hold.',
            }),
          ),
        },
        {
          additionalProperties: false,
          description:
            'Which rows of the table are collected, by the value of the discovery attribute at the last discovery, as the device sends it. Without it, all are.',
        },
      ),
    ),
    affects: 'polling',
    property: 'rows',
    compile: (rows): readonly RowCondition[] | undefined =>
      rows && [
        ...(rows.only === undefined && rows.except === undefined ? [] : [conditionOf(undefined, rows)]),
        ...Object.entries(rows.where ?? {}).map(([attribute, values]) => conditionOf(attribute, values)),
      ],
  }),
  collect: keyword({
    schema: Type.Optional(
      OneOf(['auto', 'on_request'], {
        default: 'auto',
        description:
          'auto: device groups with `objects: auto` collect it where the device answers. on_request: only a group that names it does.',
      }),
    ),
    affects: 'polling',
    property: 'collect',
    compile: (when) => (when === 'on_request' ? when : undefined),
  }),
  cost: keyword({
    schema: Type.Optional(
      OneOf(costClasses, {
        description:
          'How many values to expect: few, tens, hundreds or thousands. Where a device answers more than its budget allows, the cheaper classes come first. Without it, scalars are `scalar` and tables `small`.',
      }),
    ),
    affects: 'polling',
    property: 'cost',
    compile: (cost) => cost,
  }),
  replaces: keyword({
    schema: Type.Optional(
      Type.Array(Text({ description: 'The id of an object.' }), {
        description:
          'Objects with the same measurements. Where a device has a row of this one, `objects: auto` leaves those out, and what those replace.',
      }),
    ),
    affects: 'linking',
    property: 'replaces',
    compile: (ids = []): readonly string[] | undefined =>
      ids.length === 0 ? undefined : [...new Set(ids)].sort(),
  }),
  attributes: keyword({
    schema: Type.Record(Key, AttributeSchema, {
      additionalProperties: false,
      description: 'Columns or scalars by name.',
    }),
    affects: 'polling',
    property: 'attributes',
    compile: (attributes, { read, report }): ReadonlyMap<string, UnlinkedAttribute> =>
      new Map(
        Object.entries(attributes).map(([name, attribute]) => [
          name,
          compileAttribute(name, attribute, read.has(name), report),
        ]),
      ),
  }),
};

export const ObjectSchema = Type.Object(schemasOf(objectKeywords), {
  additionalProperties: false,
  description: 'A table entry or a set of scalars.',
});

export type ObjectParts = PartsOf<typeof objectKeywords>;

/** The attributes that sensors, labels, scales and conditions of an object read. They are fields only where they have a name. */
export function findReadAttributes({
  labels,
  rows,
  attributes,
}: DeepReadonly<Static<typeof ObjectSchema>>): ReadonlySet<string> {
  const read = new Set<string>();
  const add = (name: string | undefined) => name !== undefined && read.add(name);
  for (const name of Object.keys(rows?.where ?? {})) add(name);
  for (const text of Object.values(labels ?? {})) for (const name of namesIn(parseTemplate(text))) add(name);
  for (const { sensor, scale } of Object.values(attributes)) {
    if (sensor !== undefined) for (const name of namesOfSensorIn(sensor)) add(name);
    if (scale === undefined) continue;
    add(scale.divisor);
    add(scale.times);
    add(scale.unit?.of);
  }
  return read;
}
