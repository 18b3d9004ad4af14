import { Type } from '../../typebox.ts';
import { Key, OidText, OneOf, Text } from './scalars.ts';

export const indexTypes = [
  'Integer',
  'Integer32',
  'Unsigned32',
  'IpAddress',
  'MacAddress',
  'OctetString',
  'ObjectIdentifier',
  'ImplicitOctetString',
  'ImplicitObjectIdentifier',
  'Opaque',
] as const;

const SyntaxName = Text({
  description: 'One of the documented syntaxes: how the value is decoded, scaled and named.',
});
const FieldName = Text({ description: 'The output field, a dotted path.' });

const IndexPartSchema = Type.Object(
  {
    type: OneOf(indexTypes, { description: 'How the arcs are cut.' }),
    oid: Type.Optional(OidText({ description: 'The OID of the index column.' })),
    name: Type.Optional(FieldName),
    syntax: Type.Optional(SyntaxName),
  },
  { additionalProperties: false, description: 'One INDEX part, in MIB order.' },
);

const ScaleSchema = Type.Object(
  {
    factor: Type.Optional(Type.Number({ description: 'What every value is multiplied by; 1 by default.' })),
    prefix: Type.Optional(
      Text({
        description:
          'The attribute that holds each row’s decimal prefix, as EntitySensorDataScale numbers them: 1 is yocto, 9 is none, 17 is yotta.',
      }),
    ),
    precision: Type.Optional(
      Text({
        description:
          'The attribute that holds each row’s decimal places; a number below zero counts the digits that are accurate, and shifts nothing.',
      }),
    ),
  },
  {
    additionalProperties: false,
    description:
      'Makes the value of a gauge: factor × 10^prefix ÷ 10^precision times what the syntax gives. The attributes belong to the same object or to one that it augments; where one of them has no value, nor has this.',
  },
);

const AttributeSchema = Type.Object(
  {
    oid: OidText({ description: 'The column OID, without an instance.' }),
    name: Type.Optional(FieldName),
    syntax: SyntaxName,
    metric: Type.Optional(OneOf(['counter', 'gauge'], { description: 'How the number behaves over time.' })),
    tag: Type.Optional(
      Type.Boolean({ default: false, description: 'Whether the value is a dimension of the record.' }),
    ),
    rediscover: Type.Optional(
      OneOf(['OnReset', 'OnChange'], {
        description: 'When the device is rediscovered: the value went backwards, or changed at all.',
      }),
    ),
    overrides: Type.Optional(
      Type.Object(
        {
          object: Text({ description: 'The id of the other object.' }),
          attribute: Text({ description: 'Its attribute.' }),
        },
        {
          additionalProperties: false,
          description:
            'Where this attribute exists for an instance, that one is neither polled nor emitted for it.',
        },
      ),
    ),
    scale: Type.Optional(ScaleSchema),
    description: Type.Optional(Type.String({ description: 'What the value means.' })),
    unit: Type.Optional(Text({ description: 'The unit of the value as it is emitted.' })),
  },
  { additionalProperties: false, description: 'A column or a scalar.' },
);

export const ObjectSchema = Type.Object(
  {
    mib: Type.Optional(Text({ description: 'The MIB module.' })),
    object: Type.Optional(Text({ description: 'The entry in that module.' })),
    type: Type.Optional(
      Text({ description: 'A key of object_types; without it the device’s poll_interval holds.' }),
    ),
    augments: Type.Optional(
      Text({ description: 'The object whose index this one shares and whose record it is merged into.' }),
    ),
    index: Type.Optional(
      Type.Array(IndexPartSchema, {
        description: 'Without it, and without augments, all attributes are scalars.',
      }),
    ),
    discovery_attribute: Type.Optional(
      Text({ description: 'The attribute whose walk tells which instances exist.' }),
    ),
    attributes: Type.Record(Key, AttributeSchema, {
      additionalProperties: false,
      description: 'Columns or scalars by name.',
    }),
  },
  { additionalProperties: false, description: 'A table entry or a set of scalars.' },
);
