import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { findSyntax } from '../../src/model/definitions/syntax/syntax-table.ts';
import { recordOf, shipped } from './shipped.ts';

const objects = shipped('objects');
const objectGroups = shipped('objectGroups');
const deviceGroups = shipped('deviceGroups');
const all = [...objects];

describe('references in the shipped definitions', () => {
  it('lead from groups to groups and objects that exist', () => {
    const dangling = [
      ...[...deviceGroups].flatMap(([id, { object_groups }]) => missing(id, object_groups, objectGroups)),
      ...[...objectGroups].flatMap(([id, group]) => missing(id, group.objects, objects)),
      ...[...shipped('sysObjectIds')].flatMap(([id, group]) => missing(id, [group], deviceGroups)),
    ];
    assert.deepEqual(dangling, []);
  });

  it('leave no object that nothing can ask for', () => {
    const grouped = new Set([...objectGroups.values()].flatMap((group) => group.objects));
    assert.deepEqual(missing('no object group', [...objects.keys()], grouped), []);
  });

  it('name nothing twice in one group', () => {
    const twice = [
      ...[...deviceGroups].map(([id, group]) => [id, group.object_groups] as const),
      ...[...objectGroups].map(([id, group]) => [id, group.objects] as const),
    ].filter(([, names]) => new Set(names).size < names.length);
    assert.deepEqual(twice, []);
  });

  it('give each object a type, a discovery attribute of its own, and an index or an object to augment at most', () => {
    const types = shipped('objectTypes');
    const wrong = all.filter(
      ([, object]) =>
        !types.has(object.type ?? '') ||
        !Object.hasOwn(object.attributes, object.discovery_attribute ?? '') ||
        (object.index !== undefined && object.augments !== undefined),
    );
    assert.deepEqual(
      wrong.map(([id]) => id),
      [],
    );
  });

  it('augment objects that exist, without a circle', () => {
    assert.deepEqual(
      all.flatMap(([id, { augments }]) => (augments === undefined ? [] : missing(id, [augments], objects))),
      [],
    );
    for (const [id] of all) assert.equal(objects.get(recordOf(objects, id))?.augments, undefined, id);
  });

  it('override attributes of the same record', () => {
    const wrong = all.flatMap(([id, object]) =>
      Object.entries(object.attributes).filter(
        ([, { overrides }]) =>
          overrides !== undefined &&
          (objects.get(overrides.object)?.attributes[overrides.attribute] === undefined ||
            recordOf(objects, id) !== recordOf(objects, overrides.object)),
      ),
    );
    assert.deepEqual(wrong, []);
  });

  it('find an enum for every column that needs one, and a column for every enum', () => {
    for (const [names, kind] of [
      ['integerEnum', 'integerEnums'],
      ['bitmapEnum', 'bitmapEnums'],
    ] as const) {
      const columns = all
        .flatMap(([, { index = [], attributes }]) => [...index, ...Object.values(attributes)])
        .filter(({ syntax }) => findSyntax(syntax ?? '')?.names === names)
        .map(({ oid }) => oid ?? '');
      assert.deepEqual([...new Set(columns)].sort(), [...shipped(kind).keys()].sort());
    }
  });
});

function missing(from: string, ids: readonly string[], known: { has(id: string): boolean }): string[] {
  return ids.filter((id) => !known.has(id)).map((id) => `${from} → ${id}`);
}
