import { normalizeOid } from '../../model/oid.ts';
import { type Static, Type } from '../../typebox.ts';
import { findSyntax } from '../syntax/syntax-table.ts';
import { ByTextSchema } from './by-text.ts';
import { checkSyntax, compileFields, FieldName, SyntaxName } from './field.ts';
import {
  compileKeywords,
  type DeepReadonly,
  hashedParts,
  keywordWith,
  type LinkedProperty,
  type PartsOf,
  type ReportKeywordProblem,
  schemasOf,
} from './keyword.ts';
import { OidText, OneOf, Text } from './scalars.ts';
import { compileSensor, SensorSchema } from './sensor.ts';

interface AttributeContext {
  /** The attribute's key. */
  readonly name: string;
  readonly syntax: string;
  /** Whether it has a field when it gives no name: it is no sensor, and no sensor, label or scale reads it. */
  readonly isField: boolean;
  readonly isSensor: boolean;
}

const keyword = keywordWith<AttributeContext>();

/** Units of temperatures that become degrees Celsius. */
const rowUnits = ['celsius', 'fahrenheit', 'kelvin'] as const;
export type RowUnit = (typeof rowUnits)[number];

const ScaleSchema = Type.Object(
  {
    factor: Type.Optional(Type.Number({ description: 'Every value is multiplied by it; 1 by default.' })),
    offset: Type.Optional(Type.Number({ description: 'Is added to every scaled value; 0 by default.' })),
    prefix: Type.Optional(
      Text({
        description:
          'The attribute that holds the decimal prefix of each row, with the numbers of EntitySensorDataScale: 1 is yocto, 9 is units, 17 is yotta.',
      }),
    ),
    precision: Type.Optional(
      Text({
        description:
          'The attribute that holds the number of decimal places of each row. A negative number counts accurate digits and does not shift the value.',
      }),
    ),
    divisor: Type.Optional(
      Text({ description: 'The attribute that holds the number by which the value of each row is divided.' }),
    ),
    times: Type.Optional(
      Text({
        description:
          'The attribute that holds the number by which the value of each row is multiplied, such as hrStorageAllocationUnits.',
      }),
    ),
    unit: Type.Optional(
      ByTextSchema(
        Type.Union([Type.Number(), OneOf(rowUnits, {})]),
        'unit',
        'The unit of each row by the value of a column: celsius, fahrenheit or kelvin, or the factor that makes the unit of the value. A row with another value has no value.',
      ),
    ),
  },
  {
    additionalProperties: false,
    description:
      'Scales a gauge: its value is factor × times ÷ divisor × 10^prefix ÷ 10^precision times the value of the syntax, plus the offset. The attributes belong to the same object or to one that it augments. Where one of them has no value, the gauge has none either.',
  },
);

const OverridesSchema = Type.Object(
  {
    object: Text({ description: 'The id of the other object.' }),
    attribute: Text({ description: 'Its attribute.' }),
  },
  {
    additionalProperties: false,
    description: 'Where this attribute exists for an instance, the named one is neither polled nor emitted.',
  },
);

/** Every key of an attribute. */
export const attributeKeywords = {
  oid: keyword({
    schema: OidText({ description: 'The column OID, without an instance.' }),
    affects: 'polling',
    property: 'column',
    compile: (oid) => normalizeOid(oid) ?? oid,
  }),
  name: keyword({
    schema: Type.Optional(FieldName),
    affects: 'polling',
    property: 'fields',
    compile: (field, { name, syntax, isField, isSensor }) =>
      isSensor || (field === undefined && !isField) ? [] : compileFields(field ?? name, syntax),
  }),
  syntax: keyword({
    schema: SyntaxName,
    affects: 'polling',
    property: 'syntax',
    compile: (syntax) => syntax,
  }),
  metric: keyword({
    schema: Type.Optional(
      OneOf(['counter', 'gauge'], {
        description:
          'counter: a number that only grows until it wraps; gauge: a number that goes up and down.',
      }),
    ),
    affects: 'polling',
    property: 'metric',
    compile: (metric) => metric,
  }),
  tag: keyword({
    schema: Type.Optional(
      Type.Boolean({ default: false, description: 'Whether the value is a dimension of the record.' }),
    ),
    affects: 'polling',
    property: 'tag',
    compile: (tag = false) => tag,
  }),
  at: keyword({
    schema: Type.Optional(
      Type.Array(Type.Integer({ minimum: 1, maximum: 64 }), {
        minItems: 1,
        maxItems: 64,
        description:
          'Reads a column of another table, which has only a part of this index: the positions of these parts, from 1, in the order of the other table. For a label, with `tag: true`, or for a text in a template.',
      }),
    ),
    affects: 'polling',
    property: 'at',
    compile: (positions): readonly number[] | undefined => positions?.map((position) => position - 1),
  }),
  rediscover: keyword({
    schema: Type.Optional(
      OneOf(['OnReset', 'OnChange'], {
        description:
          'Rediscover the device when the value decreases (OnReset), or when it changes (OnChange).',
      }),
    ),
    affects: 'polling',
    property: 'rediscover',
    compile: (when) => when,
  }),
  overrides: keyword({
    schema: Type.Optional(OverridesSchema),
    affects: 'linking',
    property: 'overrides',
    compile: (named) => named && ([named.object, named.attribute] as const),
  }),
  scale: keyword({
    schema: Type.Optional(ScaleSchema),
    affects: 'linking',
    property: 'scale',
    compile: (scale) =>
      scale && {
        factor: scale.factor,
        prefix: scale.prefix,
        precision: scale.precision,
        ...(scale.offset === undefined ? {} : { offset: scale.offset }),
        ...(scale.divisor === undefined ? {} : { divisor: scale.divisor }),
        ...(scale.times === undefined ? {} : { times: scale.times }),
        ...(scale.unit === undefined ? {} : { unit: scale.unit }),
      },
  }),
  sensor: keyword({
    schema: Type.Optional(SensorSchema),
    affects: 'linking',
    property: 'sensor',
    compile: (sensor) => sensor && compileSensor(sensor),
  }),
  missing: keyword({
    schema: Type.Optional(
      Type.Array(Type.Union([Type.Number(), Type.String({ maxLength: 256 })]), {
        description:
          'Values as the device sends them, such as -1 or 2147483647, with which it says that there is none: the value has the gap `absent`.',
      }),
    ),
    affects: 'polling',
    property: 'missing',
    compile: (values) => values?.map(String),
  }),
  state_as: keyword({
    schema: Type.Optional(
      OneOf(['label', 'set'], {
        description:
          'How outputs with `naming: mib` serve the names of a state: as a label of an info metric, or as a state set. By default they serve its number.',
      }),
    ),
    affects: 'polling',
    property: 'stateAs',
    compile: (form) => form,
  }),
  description: keyword({
    schema: Type.Optional(Type.String({ description: 'What the value means.' })),
    affects: 'display',
    property: 'description',
    compile: (text) => text,
  }),
  unit: keyword({
    schema: Type.Optional(Text({ description: 'The unit of the value as it is emitted.' })),
    affects: 'polling',
    property: 'unit',
    // The decoder knows the unit of the syntax.
    compile: (unit, { syntax }) => (unit === findSyntax(syntax)?.unit ? undefined : unit),
  }),
};

export const AttributeSchema = Type.Object(schemasOf(attributeKeywords), {
  additionalProperties: false,
  description: 'A column or a scalar.',
});

export type AttributeParts = PartsOf<typeof attributeKeywords>;
export type LinkedAttributePart = LinkedProperty<typeof attributeKeywords>;

/** An attribute before the definitions that it names are looked up. */
export interface UnlinkedAttribute extends AttributeParts {
  readonly name: string;
  /** Everything in it that polling and records depend on; a part of the hash. */
  readonly text: string;
}

const hashed = hashedParts(attributeKeywords, [
  'column',
  'syntax',
  'fields',
  'metric',
  'tag',
  'unit',
  'rediscover',
  'overrides',
  'scale',
  'stateAs',
]);

/** `isRead`: whether a sensor, a label or a scale of its object reads it, so that it is a field only with a name. */
export function compileAttribute(
  name: string,
  raw: DeepReadonly<Static<typeof AttributeSchema>>,
  isRead: boolean,
  report: ReportKeywordProblem,
): UnlinkedAttribute {
  checkSyntax(raw.syntax, ['attributes', name, 'syntax'], report);
  const isSensor = raw.sensor !== undefined;
  const context = { name, syntax: raw.syntax, isField: !isRead, isSensor };
  const parts = compileKeywords(attributeKeywords, raw, context);
  return { name, ...parts, text: JSON.stringify([name, ...hashed(parts)]) };
}
