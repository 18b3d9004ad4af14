import { deepEqual, equal, match, ok } from 'node:assert/strict';
import { describe, it } from 'node:test';
import { compileDefinitions } from '../../../src/definitions/compiler/compile-definitions.ts';
import { definitionRules } from '../../../src/definitions/definition-rules.ts';
import type {
  RawAttribute,
  RawDefinitions,
  RawObject,
} from '../../../src/definitions/schema/raw-definitions.ts';
import { StepCounter } from '../../support/step-counter.ts';
import { attribute, ifIndex, rawSet, sample } from './raw-set.ts';

function problemsOf(raw: RawDefinitions) {
  return compileDefinitions(raw).problems.map(
    ({ level, rule, path }) => `${level} ${rule} ${path.join('/')}`,
  );
}

function ofObjects(objects: Readonly<Record<string, RawObject>>) {
  return problemsOf(rawSet({ objects }));
}

const name = attribute('.1.3.6.1.2.1.31.1.1.1.1', 'netif.name');

describe('the check of a whole set', () => {
  it('reports an unknown syntax of an attribute and of an index part, with the nearest name', () => {
    const objects = {
      'A::a': {
        index: [{ ...ifIndex, syntax: 'InterfaceIndx' }],
        attributes: { a: attribute('.1.3.1', 'a', { syntax: 'BandwithMBits' }) },
      },
    };
    deepEqual(ofObjects(objects), [
      'error unknown-syntax objects/A::a/index/0/syntax',
      'error unknown-syntax objects/A::a/attributes/a/syntax',
    ]);
    match(compileDefinitions(rawSet({ objects })).problems[1]!.message, /BandwidthMBits/);
  });

  it('refuses an attribute of another table that is a value, or at a part that the index does not have', () => {
    const lookup = (more: object) => attribute('.1.3.9.1', 'a.name', { syntax: 'DisplayString', ...more });
    const own = attribute('.1.3.1.2', 'a.own', {});
    const problems = (attributes: RawObject['attributes']) =>
      ofObjects({ 'A::a': { index: [ifIndex], attributes: { ...attributes, own } } });
    deepEqual(problems({ label: lookup({ tag: true, at: [1] }) }), []);
    for (const more of [
      { tag: true, at: [2] },
      { at: [1] },
      { tag: true, at: [1], rediscover: 'OnChange' },
      { at: [1], syntax: 'Integer', metric: 'gauge' },
    ]) {
      deepEqual(problems({ label: lookup(more) }), ['error wrong-lookup objects/A::a/attributes/label/at']);
    }
    const scaled = {
      ...own,
      name: 'a.scaled',
      oid: '.1.3.1.3',
      syntax: 'Integer',
      metric: 'gauge',
      scale: { divisor: 'label' },
    } as const;
    deepEqual(problems({ label: lookup({ tag: true, at: [1] }), scaled }), [
      'error wrong-lookup objects/A::a/attributes/scaled/scale/divisor',
    ]);
  });

  it('walks no column of another table to find rows', () => {
    const a = {
      index: [ifIndex],
      attributes: {
        label: attribute('.1.3.0.1', 'a.name', { syntax: 'DisplayString', tag: true, at: [1] }),
        own: attribute('.1.3.1.2', 'a.own', {}),
      },
    };
    const { definitions } = compileDefinitions(rawSet({ objects: { 'A::a': a } }));
    equal(definitions.objects.get('A::a')?.discoveryAttribute, 'own');
    deepEqual(ofObjects({ 'A::a': { ...a, discovery_attribute: 'label' } }), [
      'warning unknown-discovery-attribute objects/A::a/discovery_attribute',
    ]);
  });

  it('warns of unknown references and ignores them', () => {
    const raw = rawSet({
      objects: {
        'A::a': { type: 'dynamc', index: [ifIndex], attributes: { name } },
        'B::b': { augments: 'A::aa', attributes: { name } },
        'C::c': { augments: 'B::b', attributes: { name } },
        'D::d': {
          attributes: {
            one: attribute('.1.3.1', 'one', { overrides: { object: 'A::b', attribute: 'name' } }),
            two: attribute('.1.3.2', 'two', { overrides: { object: 'A::a', attribute: 'nam' } }),
          },
        },
      },
      objectTypes: { dynamic: { poll_interval: 60 } },
      objectGroups: { g: { objects: ['A::a', 'A::z', 'B::b'] } },
      deviceGroups: { d: { object_groups: ['g', 'gg'] } },
    });
    const { definitions, problems } = compileDefinitions(raw);
    deepEqual(
      problems.map(({ path }) => path.join('/')),
      [
        'objects/B::b/augments',
        'objects/C::c/augments',
        'objects/A::a/type',
        'objects/D::d/attributes/one/overrides/object',
        'objects/D::d/attributes/two/overrides/attribute',
        'objectGroups/g/objects/1',
        'deviceGroups/d/object_groups/1',
      ],
    );
    ok(problems.every(({ level, rule }) => level === 'warning' && rule === 'unknown-reference'));
    match(problems[2]!.message, /Did you mean "dynamic"/);
    match(problems[4]!.message, /Did you mean "name"/);
    deepEqual([...definitions.objects.keys()], ['A::a', 'D::d']);
    deepEqual(definitions.deviceGroups.get('d')?.objects, ['A::a']);
  });

  it('refuses circles of augments, of any length', () => {
    const circle = (augments: string) => ({ augments, attributes: { name } });
    deepEqual(ofObjects({ 'A::a': circle('A::a') }), ['error augments-circle objects/A::a/augments']);
    deepEqual(ofObjects({ 'A::a': circle('B::b'), 'B::b': circle('C::c'), 'C::c': circle('B::b') }), [
      'warning unknown-reference objects/A::a/augments',
      'error augments-circle objects/B::b/augments',
      'error augments-circle objects/C::c/augments',
    ]);
  });

  it('refuses circles of overrides', () => {
    const overriding = (oid: string, target: string) =>
      attribute(oid, target, { overrides: { object: 'A::a', attribute: target } });
    deepEqual(
      ofObjects({
        'A::a': {
          attributes: {
            one: overriding('.1.3.1', 'two'),
            two: overriding('.1.3.2', 'one'),
            three: overriding('.1.3.3', 'one'),
          },
        },
      }).filter((problem) => problem.startsWith('error')),
      [
        'error overrides-circle objects/A::a/attributes/one/overrides',
        'error overrides-circle objects/A::a/attributes/two/overrides',
      ],
    );
  });

  it('refuses a scale by an unknown attribute or a scaled one, and finds attributes of the augmented object', () => {
    const gauge = (oid: string, scale?: RawAttribute['scale']) =>
      attribute(oid, `reading.at${oid.replaceAll('.', '_')}`, {
        syntax: 'Integer32',
        metric: 'gauge',
        ...(scale && { scale }),
      });
    const objects = {
      'A::a': { index: [ifIndex], attributes: { places: gauge('.1.3.1.1') } },
      'B::b': {
        augments: 'A::a',
        attributes: {
          prefix: gauge('.1.3.2.1'),
          good: gauge('.1.3.2.2', { prefix: 'prefix', precision: 'places' }),
          slip: gauge('.1.3.2.3', { factor: 2, prefix: 'prefx' }),
          own: gauge('.1.3.2.4', { precision: 'own' }),
          label: attribute('.1.3.2.5', 'reading.label', { scale: { factor: 2 } }),
        },
      },
    };
    const { definitions, problems } = compileDefinitions(rawSet({ objects }));
    deepEqual(
      problems.map(({ level, rule, path }) => `${level} ${rule} ${path.join('/')}`),
      [
        'error unknown-scale objects/B::b/attributes/slip/scale/prefix',
        'error scale-circle objects/B::b/attributes/own/scale/precision',
        'warning scale-ignored objects/B::b/attributes/label/scale',
      ],
    );
    match(problems[0]!.message, /Did you mean "prefix"/);
    const { attributes } = definitions.objects.get('B::b')!;
    deepEqual(attributes.get('good')?.scale, {
      factor: 1,
      prefix: { object: 'B::b', attribute: 'prefix' },
      precision: { object: 'A::a', attribute: 'places' },
    });
    equal(attributes.get('label')?.scale, undefined);
  });

  it('warns of an unknown discovery attribute', () => {
    deepEqual(
      ofObjects({ 'A::a': { index: [ifIndex], discovery_attribute: 'ifName', attributes: { name } } }),
      ['warning unknown-discovery-attribute objects/A::a/discovery_attribute'],
    );
  });

  it('warns of two attributes of one record that write the same field, at the later one', () => {
    const one = attribute('.1.3.1', 'field');
    const two = attribute('.1.3.2', 'field');
    const collision = 'warning field-collision objects';
    deepEqual(ofObjects({ 'A::a': { attributes: { one, two } } }), [`${collision}/A::a/attributes/two/name`]);
    const split = {
      'A::a': { attributes: { one } },
      'B::b': { augments: 'A::a', attributes: { two } },
      'C::c': { augments: 'A::a', attributes: { three: attribute('.1.3.3', 'other') } },
      'D::d': { augments: 'A::a', attributes: { four: attribute('.1.3.4', 'other') } },
    };
    deepEqual(ofObjects(split), [`${collision}/B::b/attributes/two/name`]);
    const objectGroups = { c: { objects: ['C::c'] }, d: { objects: ['D::d'] } };
    const deviceGroups = { both: { object_groups: ['c', 'd'] } };
    deepEqual(problemsOf(rawSet({ objects: split, objectGroups, deviceGroups })), [
      `${collision}/B::b/attributes/two/name`,
      `${collision}/D::d/attributes/four/name`,
    ]);
  });

  it('accepts one field for two attributes when one overrides the other, through any chain', () => {
    deepEqual(problemsOf(sample), []);
  });

  it('warns of enum syntaxes without an enum, in attributes and index parts', () => {
    const raw = rawSet({
      objects: {
        'A::a': {
          index: [{ ...ifIndex, syntax: 'EnumInteger' }],
          attributes: {
            one: attribute('.1.3.1', 'one', { syntax: 'EnumBitmap' }),
            two: attribute('.1.3.2', 'two', { syntax: 'IANAifType' }),
            three: attribute('.1.3.3', 'three', { syntax: 'EnumObjectIdentifier' }),
          },
        },
      },
      integerEnums: { '1.3.1': { 1: 'a' } },
    });
    deepEqual(problemsOf(raw), [
      'warning missing-enum objects/A::a/attributes/one/syntax',
      'warning missing-enum objects/A::a/index/0/syntax',
    ]);
    match(compileDefinitions(raw).problems[0]!.message, /in the integer enums/);
  });

  it('warns of a column that is not under the same OID as the others', () => {
    const table = {
      index: [ifIndex],
      attributes: {
        one: attribute('.1.3.6.1.2.1.2.2.1.2', 'one'),
        two: attribute('.1.3.6.1.2.1.2.2.1.3', 'two'),
        three: attribute('.1.3.6.1.2.1.2.3.1.4', 'three'),
      },
    };
    const problem = 'warning oid-outside-object objects/A::a/attributes/three/oid';
    deepEqual(ofObjects({ 'A::a': table }), [problem]);
    const scalars = { attributes: { ...table.attributes, three: attribute('.1.3.6.1.4.1.9', 'three') } };
    deepEqual(ofObjects({ 'A::a': scalars }), [problem]);
    const groups = { attributes: { ...table.attributes, three: attribute('.1.3.6.1.2.1.2.2.7.1', 'three') } };
    deepEqual(ofObjects({ 'A::a': groups }), []);
  });

  it('advises to put a column of another table into an object that augments, which solves the problem', () => {
    const { two, three } = {
      two: attribute('.1.3.6.1.2.1.2.2.1.3', 'two'),
      three: attribute('.1.3.6.1.2.1.31.1.1.1.18', 'three'),
    };
    const one = attribute('.1.3.6.1.2.1.2.2.1.2', 'one');
    const table = { index: [ifIndex], attributes: { one, two } };
    const borrowing = rawSet({
      objects: { 'A::a': { ...table, attributes: { ...table.attributes, three } } },
    });
    match(compileDefinitions(borrowing).problems[0]!.message, /“augments: THIS OBJECT”.*same index/);
    const advised = rawSet({
      objects: { 'A::a': table, 'B::b': { augments: 'A::a', attributes: { three } } },
    });
    const { problems, definitions } = compileDefinitions(advised);
    deepEqual(problems, []);
    deepEqual(definitions.tables.get('A::a'), ['A::a', 'B::b']);
  });

  it('warns of an implied index part that is not the last', () => {
    const index = [{ ...ifIndex, type: 'ImplicitOctetString' as const }, ifIndex];
    deepEqual(ofObjects({ 'A::a': { index, attributes: { name } } }), [
      'warning implied-part-not-last objects/A::a/index/0/type',
    ]);
  });

  it('warns of an object that has an index and augments', () => {
    const both = { index: [ifIndex], augments: 'A::a', attributes: { other: attribute('.1.4.1', 'other') } };
    deepEqual(ofObjects({ 'A::a': { index: [ifIndex], attributes: { name } }, 'B::b': both }), [
      'warning index-and-augments objects/B::b/index',
    ]);
  });

  it('reports long chains, long circles and thousands of wrong names in a bounded number of steps', async () => {
    const counter = new StepCounter();
    const work = new URL('./compile-large.ts', import.meta.url);
    const { result, steps } = await counter.count(work, 'compileTangled');
    await counter.close();
    deepEqual(result, { objects: 0, circles: 1_000, warnings: 1_000, isShort: true });
    ok(steps < 4_000_000, `${steps} steps`);
  });

  it('documents every rule with a sentence', () => {
    for (const [rule, { level, sentence }] of Object.entries(definitionRules)) {
      match(rule, /^[a-z]+(-[a-z]+)*$/);
      ok(sentence.endsWith('.') && (level === 'error' || level === 'warning'));
    }
  });
});
