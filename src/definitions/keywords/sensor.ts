import { type Static, Type } from '../../typebox.ts';
import { type SensorClassName, sensorClassNames } from '../vocabulary/sensor-classes.ts';
import {
  type SensorDirection,
  type SensorPart,
  type SensorState,
  sensorDirectionNames,
  sensorPartNames,
  sensorStates,
} from '../vocabulary/sensor-parts.ts';
import { type SensorLimit, sensorLimitNames } from '../vocabulary/sensor-words.ts';
import { type ByText, ByTextSchema, wordsIn } from './by-text.ts';
import type { DeepReadonly } from './keyword.ts';
import { OneOf, Text } from './scalars.ts';
import { namesIn, parseTemplate, type TemplateStep } from './template.ts';

const AttributeName = Text({
  description: 'An attribute of the same object or of one that it augments.',
});

const RawValues = (description: string) =>
  Type.Optional(Type.Array(Type.Union([Type.Number(), Type.String({ maxLength: 256 })]), { description }));

const LimitValue = (description: string) =>
  Type.Optional(Type.Union([Type.Number(), Text({})], { description }));

const ClassByText = ByTextSchema(
  OneOf(sensorClassNames, {}),
  'class',
  'What it measures, by the value of a column.',
);

const levels = {
  ok: RawValues('Values that are good.'),
  warning: RawValues('Values that need attention.'),
  critical: RawValues('Values that are a fault.'),
} as const;

export const SensorSchema = Type.Object(
  {
    class: Type.Union([...sensorClassNames.map((name) => Type.Literal<SensorClassName>(name)), ClassByText], {
      description:
        'What it measures: a class of docs/vocabulary.md, or `of` an attribute whose value decides. Rows with other values are no sensors.',
    }),
    name: Text({
      description: 'Its name for people, such as "{vendorTempName}" or "Input {upsInputLineIndex}".',
    }),
    part: Type.Optional(
      OneOf(sensorPartNames, { description: 'What it belongs to: a part of docs/vocabulary.md.' }),
    ),
    direction: Type.Optional(
      OneOf(sensorDirectionNames, { description: 'Which side it measures: rx, tx, input or output.' }),
    ),
    location: Type.Optional(Text({ description: 'Where it is, as a template.' })),
    state: Type.Optional(
      Type.Object(
        {
          of: Type.Optional(AttributeName),
          ...levels,
        },
        {
          additionalProperties: false,
          description:
            'Which values of an attribute, by default of this one, are `ok`, `warning` and `critical`: numbers, or texts in upper or lower case. All others are `unknown`.',
        },
      ),
    ),
    limits: Type.Optional(
      Type.Object(
        {
          low_critical: LimitValue('Below this value it is a fault.'),
          low_warning: LimitValue('Below this value it needs attention.'),
          high_warning: LimitValue('Above this value it needs attention.'),
          high_critical: LimitValue('Above this value it is a fault.'),
        },
        {
          additionalProperties: false,
          description:
            'The limits that the device has: attributes, which are scaled as the value is, or numbers in the unit of the class.',
        },
      ),
    ),
  },
  {
    additionalProperties: false,
    description:
      'Makes the value a row of the record `sensor` of docs/vocabulary.md. It has no field of its own.',
  },
);

/** The text of a number, or a text, with the word that it stands for. */
export type WordsByValue<Word extends string = string> = Readonly<Record<string, Word>>;

/** A sensor before the attributes that it names are looked up. */
export interface UnlinkedSensor {
  readonly class: SensorClassName | ({ readonly of: string } & ByText<SensorClassName>);
  readonly name: readonly TemplateStep[];
  readonly location: readonly TemplateStep[] | undefined;
  readonly part: SensorPart | undefined;
  readonly direction: SensorDirection | undefined;
  readonly state: { readonly of: string | undefined; readonly values: WordsByValue<SensorState> } | undefined;
  readonly limits: Readonly<Partial<Record<SensorLimit, number | string>>>;
}

export function compileSensor(raw: DeepReadonly<Static<typeof SensorSchema>>): UnlinkedSensor {
  const { state } = raw;
  const limits: Partial<Record<SensorLimit, number | string>> = {};
  for (const name of sensorLimitNames) {
    const limit = raw.limits?.[name];
    if (limit !== undefined) limits[name] = limit;
  }
  return {
    class: raw.class,
    name: parseTemplate(raw.name),
    location: raw.location === undefined ? undefined : parseTemplate(raw.location),
    part: raw.part,
    direction: raw.direction,
    state: state && { of: state.of, values: stateValues(state) },
    limits,
  };
}

/** Each class that a row may have. */
export function classesIn(kind: UnlinkedSensor['class']): readonly SensorClassName[] {
  return typeof kind === 'string' ? [kind] : wordsIn(kind);
}

function stateValues(state: Partial<Record<SensorState, readonly (number | string)[]>>) {
  return Object.fromEntries(
    sensorStates.flatMap((level) =>
      (state[level] ?? []).map((value) => [String(value).toLowerCase(), level] as const),
    ),
  );
}

/** The attributes that a sensor names. */
export function namesOfSensorIn(raw: DeepReadonly<Static<typeof SensorSchema>>): string[] {
  const { class: kind, name, location, state, limits } = raw;
  return [
    ...(typeof kind === 'object' ? [kind.of] : []),
    ...namesIn(parseTemplate(name)),
    ...namesIn(parseTemplate(location ?? '')),
    ...(state?.of === undefined ? [] : [state.of]),
    ...Object.values(limits ?? {}).filter((limit) => typeof limit === 'string'),
  ];
}
