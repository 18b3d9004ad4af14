import { deepEqual, match, notEqual } from 'node:assert/strict';
import { describe, it } from 'node:test';
import { compileDefinitions } from '../../../src/definitions/compiler/compile-definitions.ts';
import type { RawEntry, RawObject } from '../../../src/definitions/schema/raw-definitions.ts';
import { rootOf, rootsOf } from '../../../src/definitions/selection/answer-roots.ts';
import { chooseObjects } from '../../../src/definitions/selection/choose-objects.ts';
import { wishOf } from '../../../src/definitions/selection/object-wish.ts';
import { rawSet } from '../compiler/raw-set.ts';

type Groups = Readonly<Record<string, RawEntry<'deviceGroups'>>>;

/** Objects by a letter, each with one column of a vendor of its own. */
function compile(objects: Readonly<Record<string, Partial<RawObject>>>, deviceGroups: Groups = {}) {
  return compileDefinitions(
    rawSet({
      objects: Object.fromEntries(
        Object.entries(objects).map(([id, keys], position) => [
          id,
          { attributes: { value: { oid: `1.3.6.1.4.1.${position + 1}.2.3`, syntax: 'Gauge32' } }, ...keys },
        ]),
      ),
      objectGroups: 'h' in objects ? { heavy: { objects: ['h'] } } : {},
      deviceGroups,
    }),
  );
}

const objects = {
  a: { replaces: ['b'] },
  b: { replaces: ['c'] },
  c: {},
  h: { collect: 'on_request' },
} as const;

/** What the groups choose when the device answers everything but the `silent` objects. */
function chosen(group: RawEntry<'deviceGroups'>, silent: readonly string[] = []) {
  const { definitions, problems } = compile(objects, { group });
  deepEqual(problems, []);
  const wish = wishOf([definitions.deviceGroups.get('group')!]);
  const choice = chooseObjects(definitions.objects.values(), wish, (id) => !silent.includes(id));
  return { ids: choice.chosen.map(({ id }) => id), replaced: Object.fromEntries(choice.replaced) };
}

describe('a device group with `objects: auto`', () => {
  it('chooses what answers, without what is replaced or on request', () => {
    deepEqual(chosen({ objects: 'auto' }), { ids: ['a'], replaced: { b: 'a', c: 'a' } });
    deepEqual(chosen({ objects: ['auto'] }, ['a']), { ids: ['b'], replaced: { c: 'b' } });
    deepEqual(chosen({ objects: 'auto' }, ['a', 'b']), { ids: ['c'], replaced: {} });
    deepEqual(chosen({ objects: 'auto' }, ['a', 'c']), { ids: ['b'], replaced: {} });
  });

  it('also chooses what it names, on request or replaced', () => {
    deepEqual(chosen({ objects: 'auto', object_groups: ['heavy'] }).ids, ['a', 'h']);
    deepEqual(chosen({ objects: ['auto', 'c', 'h'] }).ids, ['a', 'c', 'h']);
    deepEqual(chosen({ objects: ['auto', 'h'] }, ['h']).ids, ['a']);
  });

  it('leaves out objects and object groups', () => {
    deepEqual(chosen({ objects: 'auto', without: ['a'] }), { ids: ['b'], replaced: { c: 'b' } });
    deepEqual(chosen({ objects: 'auto', object_groups: ['heavy'], without: ['heavy', 'b', 'a'] }).ids, ['c']);
  });

  it('without auto is a list', () => {
    deepEqual(chosen({ objects: ['b', 'c'] }), { ids: ['b', 'c'], replaced: {} });
    deepEqual(chosen({ object_groups: ['heavy'] }).ids, ['h']);
  });

  it('does not change when an object changes that it does not name', () => {
    const hashOf = (changed: Partial<RawObject>, group: RawEntry<'deviceGroups'>) =>
      compile({ ...objects, c: changed }, { group }).definitions.deviceGroups.get('group')!.hash;
    deepEqual(hashOf({ cost: 'huge' }, { objects: 'auto' }), hashOf({}, { objects: 'auto' }));
    notEqual(hashOf({ cost: 'huge' }, { objects: ['auto', 'c'] }), hashOf({}, { objects: ['auto', 'c'] }));
    notEqual(hashOf({}, { objects: 'auto', without: ['c'] }), hashOf({}, { objects: 'auto' }));
  });

  it('is checked for names that do not exist, and for having nothing', () => {
    const { problems } = compile(objects, {
      empty: {},
      wrong: { objects: ['auto', 'z'], object_groups: ['light'], without: ['hevy'] },
    });
    deepEqual(
      problems.map(({ rule, path }) => [rule, path.slice(1).join(' ')]),
      [
        ['empty-device-group', 'empty'],
        ['unknown-reference', 'wrong objects 1'],
        ['unknown-reference', 'wrong object_groups 0'],
        ['unknown-reference', 'wrong without 0'],
      ],
    );
  });
});

describe('`replaces`', () => {
  it('reports circles as errors and unknown objects as warnings', () => {
    const { problems } = compile({
      a: { replaces: ['b', 'none'] },
      b: { replaces: ['c'] },
      c: { replaces: ['a'] },
      d: { replaces: ['d'] },
    });
    deepEqual(problems.map(({ rule, path }) => [rule, path[1]]).sort(), [
      ['replaces-circle', 'a'],
      ['replaces-circle', 'b'],
      ['replaces-circle', 'c'],
      ['replaces-circle', 'd'],
      ['unknown-reference', 'a'],
    ]);
    match(problems.find(({ path }) => path[1] === 'd')!.message, /“d” replaces itself/);
  });
});

describe('a root', () => {
  it('is a standard MIB or a vendor', () => {
    deepEqual(
      [
        '1.3.6.1.2.1.2.2.1.1',
        '1.3.6.1.4.1.9.9.1',
        '1.0.8802.1.1.2.1.4',
        '1.3.6.1.2.1.10.7.2.1',
        '1.3.6.1.2.1.1',
      ].map(rootOf),
      ['1.3.6.1.2.1.2', '1.3.6.1.4.1.9', '1.0.8802.1.1.2.1', '1.3.6.1.2.1.10.7', '1.3.6.1.2.1.1'],
    );
    const { definitions } = compile(objects);
    deepEqual([...rootsOf(definitions.objects.get('b')!)], ['1.3.6.1.4.1.2']);
  });
});
