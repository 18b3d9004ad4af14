import { deepEqual, match } from 'node:assert/strict';
import { describe, it } from 'node:test';
import { compileDefinitions } from '../../../src/definitions/compiler/compile-definitions.ts';
import type { RawAttribute, RawObject } from '../../../src/definitions/schema/raw-definitions.ts';
import { checkStyle } from '../../../src/definitions/style/check-style.ts';
import { styleRules } from '../../../src/definitions/style/style-rules.ts';
import { rawSet } from '../compiler/raw-set.ts';

const speed: RawAttribute = {
  oid: '.1.3.6.1.4.1.63000.1.1.2',
  name: 'fan.speed',
  syntax: 'Gauge32',
  metric: 'gauge',
  unit: 'rpm',
  description: 'How fast the fan turns',
};
const label: RawAttribute = {
  oid: '.1.3.6.1.4.1.63000.1.1.3',
  name: 'fan.name',
  syntax: 'DisplayString',
  tag: true,
  description: 'Where the fan is',
};
const fan: RawObject = {
  mib: 'FAN-MIB',
  object: 'fanEntry',
  type: 'dynamic',
  index: [{ type: 'Integer', oid: '.1.3.6.1.4.1.63000.1.1.1', name: 'fan.index', syntax: 'IntegerAsID' }],
  discovery_attribute: 'speed',
  attributes: { speed, label },
};

function findProblems(objects: Readonly<Record<string, RawObject>>, grouped = Object.keys(objects)) {
  const objectTypes = { dynamic: { poll_interval: 60 } };
  const raw = rawSet({ objects, objectTypes, objectGroups: { all: { objects: grouped } } });
  return checkStyle(raw, compileDefinitions(raw).definitions);
}

/** The problems of the sound table after one change. */
function saidOf(change: (object: RawObject) => object, id = 'FAN-MIB::fanEntry') {
  return findProblems({ [id]: { ...fan, ...change(fan) } as RawObject }).map(({ rule, path }) =>
    `${rule} ${path.slice(2).join('/')}`.trimEnd(),
  );
}

const withSpeed = (more: object) => saidOf(() => ({ attributes: { speed: { ...speed, ...more }, label } }));
const without = (key: string) => (object: object) =>
  Object.fromEntries(Object.entries({ ...object, [key]: undefined })) as object;

describe('the style guide', () => {
  it('reports nothing for a table that follows it', () => {
    deepEqual(
      saidOf(() => ({})),
      [],
    );
  });

  it('checks ids, types, discovery attributes and groups', () => {
    deepEqual(
      saidOf(() => ({}), 'FAN-MIB::fan'),
      ['style-id'],
    );
    deepEqual(saidOf(without('type')), ['style-type']);
    deepEqual(saidOf(without('discovery_attribute')), ['style-discovery']);
    deepEqual(
      findProblems({ 'FAN-MIB::fanEntry': fan }, []).map(({ rule }) => rule),
      [],
    );
    deepEqual(
      findProblems({ 'FAN-MIB::fanEntry': { ...fan, collect: 'on_request' } }, []).map(({ rule }) => rule),
      ['style-ungrouped'],
    );
  });

  it('demands a label that identifies rows, anywhere in their record', () => {
    const nameless = { ...fan, index: [{ type: 'Integer' as const }], attributes: { speed } };
    deepEqual(
      findProblems({ 'FAN-MIB::fanEntry': nameless }).map(({ rule }) => rule),
      ['style-identity'],
    );
    const names: RawObject = {
      mib: 'FAN-MIB',
      object: 'fanNameEntry',
      type: 'dynamic',
      augments: 'FAN-MIB::fanEntry',
      discovery_attribute: 'label',
      attributes: { label },
    };
    deepEqual(findProblems({ 'FAN-MIB::fanEntry': nameless, 'FAN-MIB::fanNameEntry': names }), []);
  });

  it('checks descriptions', () => {
    const place = 'attributes/speed';
    deepEqual(withSpeed({ description: undefined }), [`style-description ${place}`]);
    for (const description of ['Fan', 'Ends with a stop.', 'Two\nlines', 'x'.repeat(121)]) {
      deepEqual(withSpeed({ description }), [`style-description ${place}/description`]);
    }
  });

  it('demands one unit for each gauge', () => {
    const place = 'attributes/speed';
    deepEqual(withSpeed({ unit: undefined }), [`style-unit ${place}`]);
    deepEqual(withSpeed({ unit: '1' }), []);
    deepEqual(withSpeed({ unit: undefined, syntax: 'TemperatureC' }), []);
    deepEqual(withSpeed({ unit: undefined, scale: { prefix: 'label' } }), [], 'the row knows the unit');
    deepEqual(withSpeed({ unit: 'K', syntax: 'TemperatureC' }), [`style-unit-again ${place}/unit`]);
    deepEqual(withSpeed({ syntax: 'DisplayString' }), [`style-metric ${place}/metric`]);
  });

  it('checks the names of fields', () => {
    const place = 'attributes/speed/name';
    for (const name of ['fanspeed', 'Fan.speed', 'fan.speed-now', 'fan..speed', '1.fan']) {
      deepEqual(withSpeed({ name }), [`style-field ${place}`], name);
    }
    deepEqual(withSpeed({ name: 'fan.speed_percent' }), [`style-field-unit ${place}`]);
    deepEqual(withSpeed({ name: 'fan.name.speed' }), ['style-field-branch attributes/label/name']);
    deepEqual(
      saidOf(() => ({ index: [{ type: 'Integer', name: 'Fan.index', syntax: 'Integer' }] })),
      ['style-field index/0/name'],
    );
  });

  it('demands one meaning per field, and one attribute per column', () => {
    const other: RawObject = {
      ...fan,
      object: 'otherEntry',
      attributes: { speed: { ...speed, unit: '%' }, name: { ...label, oid: '.1.3.6.1.4.1.63000.2.1.3' } },
    };
    const problems = findProblems({ 'FAN-MIB::fanEntry': fan, 'FAN-MIB::otherEntry': other });
    deepEqual(
      problems.map(({ rule, path }) => `${rule} ${path.slice(1).join('/')}`),
      [
        'style-field-meaning FAN-MIB::otherEntry/attributes/speed/name',
        'style-column-twice FAN-MIB::otherEntry/attributes/speed/oid',
      ],
    );
    match(problems[0]!.message, /FAN-MIB::fanEntry speed/);
  });

  it('documents every rule with a sentence', () => {
    for (const { sentence } of Object.values(styleRules)) match(sentence, /^[A-Z].*\.$/);
  });
});
