import { Type } from '../../typebox.ts';
import { Key, Text } from '../schema/scalars.ts';
import { AttributeSchema, compileAttribute, type UnlinkedAttribute } from './attribute-keywords.ts';
import { compileIndex, IndexPartSchema } from './index-keywords.ts';
import { keywordWith, type PartsOf, type ReportKeywordProblem, schemasOf } from './keyword.ts';

interface ObjectContext {
  readonly report: ReportKeywordProblem;
}

const keyword = keywordWith<ObjectContext>();

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
      Text({ description: 'A key of object_types. Without it, the device’s poll_interval is used.' }),
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
  discovery_attribute: keyword({
    schema: Type.Optional(Text({ description: 'The attribute that is walked to find the instances.' })),
    affects: 'polling',
    property: 'discoveryAttribute',
    compile: (name) => name,
  }),
  attributes: keyword({
    schema: Type.Record(Key, AttributeSchema, {
      additionalProperties: false,
      description: 'Columns or scalars by name.',
    }),
    affects: 'polling',
    property: 'attributes',
    compile: (attributes, { report }): ReadonlyMap<string, UnlinkedAttribute> =>
      new Map(
        Object.entries(attributes).map(([name, attribute]) => [
          name,
          compileAttribute(name, attribute, report),
        ]),
      ),
  }),
};

export const ObjectSchema = Type.Object(schemasOf(objectKeywords), {
  additionalProperties: false,
  description: 'A table entry or a set of scalars.',
});

export type ObjectParts = PartsOf<typeof objectKeywords>;
