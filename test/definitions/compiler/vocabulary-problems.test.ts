import { deepEqual, match } from 'node:assert/strict';
import { describe, it } from 'node:test';
import { compileDefinitions } from '../../../src/definitions/compiler/compile-definitions.ts';
import type { RawAttribute, RawObject } from '../../../src/definitions/schema/raw-definitions.ts';
import { attribute, rawSet } from './raw-set.ts';

const top = '.1.3.6.1.4.1.32473.9.1.1';
const index: NonNullable<RawObject['index']>[number] = {
  type: 'Integer',
  oid: `${top}.1`,
  column: 'fanIndex',
};

type Sensor = NonNullable<RawAttribute['sensor']>;

/** A table with one sensor. */
function withSensor(sensor: Partial<Sensor>, more: Partial<RawAttribute> = {}): RawObject {
  return {
    index: [index],
    attributes: {
      fanName: { oid: `${top}.2`, syntax: 'DisplayString' },
      fanSpeed: {
        oid: `${top}.3`,
        syntax: 'Integer32',
        sensor: { class: 'fan_speed', name: '{fanName}', ...sensor },
        ...more,
      },
    },
  };
}

/** A table whose rows are processors. */
function withRecord({
  field,
  ...more
}: Partial<RawObject> & { readonly field?: Partial<RawAttribute> }): RawObject {
  return {
    record: 'processor',
    index: [index],
    attributes: {
      load: attribute(`${top}.4`, 'processor.usage', { syntax: 'Percent100', metric: 'gauge', ...field }),
    },
    ...more,
  };
}

interface Case {
  readonly problem: string;
  readonly object: RawObject;
  /** The level, the rule and the path below the object; undefined where nothing is reported. */
  readonly reported: string | undefined;
  /** What the sentence says. */
  readonly says?: RegExp;
}

const sensorAt = 'attributes/fanSpeed/sensor';
const cases: readonly Case[] = [
  {
    problem: 'a sensor that is complete',
    object: withSensor({ name: 'Fan {fanIndex} {index}' }),
    reported: undefined,
  },
  {
    problem: 'a template that names no attribute',
    object: withSensor({ name: '{fanNam}' }),
    reported: `warning unknown-column ${sensorAt}/name`,
    says: /“fanNam”.*fanName/,
  },
  {
    problem: 'a location that names no attribute',
    object: withSensor({ location: '{rack}' }),
    reported: `warning unknown-column ${sensorAt}/location`,
    says: /“rack” is no attribute .* nor a column of the index/,
  },
  {
    problem: 'a state of an unknown attribute',
    object: withSensor({ state: { of: 'fanState', ok: [1] } }),
    reported: `warning unknown-column ${sensorAt}/state/of`,
  },
  {
    problem: 'a limit that names no attribute',
    object: withSensor({ limits: { low_critical: 5, high_warning: 'fanHigh' } }),
    reported: `warning unknown-column ${sensorAt}/limits/high_warning`,
  },
  {
    problem: 'a label that names no attribute',
    object: withRecord({ labels: { 'processor.name': 'CPU {slot}' } }),
    reported: 'warning unknown-column labels/processor.name',
  },
  {
    problem: 'a class that depends on an unknown attribute',
    object: withSensor({ class: { of: 'fanKind', values: { 1: 'fan_speed' } } }),
    reported: `error unknown-class ${sensorAt}/class/of`,
  },
  {
    problem: 'a class that depends on an attribute, without classes',
    object: withSensor({ class: { of: 'fanName' } }),
    reported: `warning sensor-incomplete ${sensorAt}/class`,
    says: /Write `values`, `contains` or `otherwise`/,
  },
  {
    problem: 'a class that is found in a name',
    object: withSensor({
      class: { of: 'fanName', contains: { temp: 'temperature' }, otherwise: 'fan_speed' },
    }),
    reported: undefined,
  },
  {
    problem: 'a state without values',
    object: withSensor({ class: 'state' }),
    reported: `warning sensor-incomplete ${sensorAt}`,
    says: /so all are unknown/,
  },
  {
    problem: 'a measurement whose syntax makes a text',
    object: withSensor({}, { syntax: 'DisplayString' }),
    reported: 'warning sensor-incomplete attributes/fanSpeed/syntax',
    says: /NumberInText/,
  },
  {
    problem: 'a syntax in another unit than that of the class',
    object: withSensor({ class: 'voltage' }, { syntax: 'TemperatureC' }),
    reported: `warning vocabulary-unit ${sensorAt}`,
    says: /“°C”.*voltage has “V”/,
  },
  {
    problem: 'a syntax in another unit than that of a class that is found in a name',
    object: withSensor(
      { class: { of: 'fanName', contains: { t: 'temperature' }, otherwise: 'voltage' } },
      { syntax: 'TemperatureC' },
    ),
    reported: `warning vocabulary-unit ${sensorAt}`,
    says: /voltage has “V”/,
  },
  {
    problem: 'a label that the vocabulary does not have',
    object: withRecord({ labels: { 'processor.nam': 'CPU' } }),
    reported: 'warning vocabulary-word labels/processor.nam',
    says: /processor\.name/,
  },
  {
    problem: 'an index part with a label that the vocabulary does not have',
    object: withRecord({ index: [{ ...index, name: 'processor.index', syntax: 'IntegerAsID' }] }),
    reported: 'warning vocabulary-word index/0/name',
  },
  {
    problem: 'a field that the vocabulary does not have',
    object: withRecord({ field: { name: 'processor.utilization' } }),
    reported: 'warning vocabulary-word attributes/load/name',
  },
  {
    problem: 'a field in another unit',
    object: withRecord({ field: { syntax: 'Gauge32', unit: '1' } }),
    reported: 'warning vocabulary-unit attributes/load/unit',
    says: /as gauge in 1, but the vocabulary has it as gauge in %/,
  },
  {
    problem: 'a text where the vocabulary has a number',
    object: withRecord({ field: { syntax: 'DisplayString' } }),
    reported: 'warning vocabulary-unit attributes/load/unit',
    says: /as text in no unit, but the vocabulary has it as gauge in %/,
  },
  {
    problem: 'a field with another metric',
    object: withRecord({ field: { metric: 'counter' } }),
    reported: 'warning vocabulary-unit attributes/load/unit',
    says: /as counter in %/,
  },
];

describe('the check of sensors and words of the vocabulary', () => {
  for (const { problem, object, reported, says } of cases)
    it(`${reported === undefined ? 'accepts' : 'reports'} ${problem}`, () => {
      const { problems } = compileDefinitions(rawSet({ objects: { 'A::a': object } }));
      deepEqual(
        problems.map(({ level, rule, path }) => `${level} ${rule} ${path.slice(2).join('/')}`),
        reported === undefined ? [] : [reported],
      );
      if (says !== undefined) match(problems[0]!.message, says);
    });
});
