import { type Static, Type } from '../../typebox.ts';
import { AttributeSchema } from '../keywords/attribute-keywords.ts';
import type { DeepReadonly } from '../keywords/keyword.ts';
import { Key, OneOf, Text } from '../keywords/scalars.ts';

/** From the worst to the least (RFC 5424 §6.2.1). */
export const severities = [
  'emergency',
  'alert',
  'critical',
  'error',
  'warning',
  'notice',
  'info',
  'debug',
] as const;
export type Severity = (typeof severities)[number];

const categories = [
  'link',
  'routing',
  'hardware',
  'environment',
  'power',
  'security',
  'configuration',
  'system',
  'service',
  'printing',
  'wireless',
  'other',
] as const;
export type Category = (typeof categories)[number];

const FieldText = Text({ description: 'A field or a label of the record, such as netif.index.' });

/** What an attribute of a notification can say: nothing that polling needs. */
const NotificationAttributeSchema = Type.Object(
  Object.fromEntries(
    (['oid', 'name', 'syntax', 'metric', 'tag', 'unit', 'description'] as const).map((key) => [
      key,
      AttributeSchema.properties[key],
    ]),
  ) as Pick<
    typeof AttributeSchema.properties,
    'oid' | 'name' | 'syntax' | 'metric' | 'tag' | 'unit' | 'description'
  >,
  { additionalProperties: false, description: 'A varbind that belongs to no object.' },
);

export const NotificationSchema = Type.Object(
  {
    oid: Type.String({
      pattern: '^\\.?\\d+(\\.\\d+)*(\\.\\*)?$',
      maxLength: 1_408,
      description:
        'The value of snmpTrapOID.0. With `.*` at the end: every OID below it that no other definition names; the longest one wins.',
    }),
    severity: Type.Optional(
      OneOf(severities, { default: 'notice', description: 'How bad it is, by the words of syslog.' }),
    ),
    severity_from: Type.Optional(
      Type.Object(
        {
          field: FieldText,
          values: Type.Record(Key, OneOf(severities, {}), { additionalProperties: false }),
        },
        {
          additionalProperties: false,
          description: 'The severity by a value of the notification; `severity` holds for all other values.',
        },
      ),
    ),
    category: Type.Optional(
      OneOf(categories, { default: 'other', description: 'What kind of thing it is about.' }),
    ),
    description: Type.Optional(Type.String({ description: 'What it means.' })),
    message: Type.Optional(
      Text({
        description:
          'A sentence for people. {a|b} is the value of the first of these fields and labels that the record has.',
      }),
    ),
    varbinds: Type.Optional(
      Type.Array(Text({ description: 'The name of an attribute or of an index column.' }), {
        description:
          'The varbinds that the MIB names. A notification without them, or with others, is decoded too.',
      }),
    ),
    identity: Type.Optional(
      Type.Array(FieldText, {
        description: 'The fields that say what it is about. By default the index parts of its varbinds.',
      }),
    ),
    clears: Type.Optional(
      Type.Array(Text({ description: 'The id of a notification.' }), {
        description: 'The notifications that it ends, of the same device and about the same thing.',
      }),
    ),
    clears_when: Type.Optional(
      Type.Object(
        { field: FieldText, in: Type.Array(Text({}), { minItems: 1 }) },
        {
          additionalProperties: false,
          description:
            'Only with one of these values does it end others: those of `clears`, or earlier ones of its own kind.',
        },
      ),
    ),
    attributes: Type.Optional(
      Type.Record(Key, NotificationAttributeSchema, {
        additionalProperties: false,
        description: 'Varbinds that belong to no object, by name.',
      }),
    ),
    aim: Type.Optional(
      Type.Object(
        {
          poll: Type.Optional(
            Type.Array(Text({ description: 'The id of an object.' }), {
              description: 'Objects that are polled now: the row that the varbinds name, or all rows.',
            }),
          ),
          poll_named_by: Type.Optional(
            Type.Array(FieldText, {
              description:
                'Fields whose value is an OID, such as the variable of an alarm: its row is polled now.',
            }),
          ),
          rediscover: Type.Optional(
            Type.Boolean({ default: false, description: 'Whether the device is discovered again.' }),
          ),
        },
        { additionalProperties: false, description: 'What the collector asks the device because of it.' },
      ),
    ),
    muted: Type.Optional(
      Type.Boolean({ default: false, description: 'true: it is counted, and not recorded.' }),
    ),
  },
  { additionalProperties: false, description: 'A trap or an inform, of every sender.' },
);

export type RawNotification = DeepReadonly<Static<typeof NotificationSchema>>;
