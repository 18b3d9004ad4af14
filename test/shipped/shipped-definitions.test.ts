import assert from 'node:assert/strict';
import { readdirSync } from 'node:fs';
import { describe, it } from 'node:test';
import { definitionFolders, findKindOf } from '../../src/definitions/schema/definition-folders.ts';
import { checkStyle } from '../../src/definitions/style/check-style.ts';
import { findSyntax } from '../../src/definitions/syntax/syntax-table.ts';
import { normalizeOid } from '../../src/model/oid.ts';
import { loadShippedDefinitions, shippedDirectory } from './shipped.ts';

const { raw, compiled, problems } = loadShippedDefinitions();
const objects = [...raw.objects];

describe('the shipped definitions', () => {
  it('load without an error or a warning', () => {
    assert.ok(objects.length > 200);
    assert.deepEqual(problems, []);
  });

  it('follow the style guide', () => {
    assert.deepEqual(checkStyle(raw, compiled), []);
  });

  it('contain no file that is not read', () => {
    const unread = readdirSync(shippedDirectory, { recursive: true, encoding: 'utf8' }).filter((path) => {
      const [folder = '', ...rest] = path.split('/');
      return (
        path.endsWith('.yml') &&
        definitionFolders.every(
          (known) => known !== folder || findKindOf(known, rest.join('/')) === undefined,
        )
      );
    });
    assert.deepEqual(unread, []);
  });

  it('have a device group for every sysObjectID', () => {
    const dangling = [...raw.sysObjectIds].filter(([, group]) => !raw.deviceGroups.has(group));
    assert.deepEqual(dangling, []);
  });

  it('list nothing twice in one group', () => {
    const lists = [
      ...[...raw.deviceGroups.values()].map((group) => group.object_groups ?? []),
      ...[...raw.objectGroups.values()].map((group) => group.objects),
    ];
    assert.deepEqual(
      lists.filter((names) => new Set(names).size < names.length),
      [],
    );
  });

  it('list every object in a group', () => {
    const listed = new Set([...raw.objectGroups.values()].flatMap((group) => group.objects));
    assert.deepEqual(
      objects.map(([id]) => id).filter((id) => !listed.has(id)),
      [],
    );
  });

  it('give each object a type, a discovery attribute, and either an index or an object to augment', () => {
    const wrong = objects.filter(
      ([, { type, discovery_attribute, index, augments }]) =>
        type === undefined ||
        discovery_attribute === undefined ||
        (index !== undefined && augments !== undefined),
    );
    assert.deepEqual(
      wrong.map(([id]) => id),
      [],
    );
  });

  it('have an enum for every column that needs one, and a column for every enum', () => {
    const ofNotifications = [...raw.notifications.values()].flatMap(({ attributes = {} }) =>
      Object.values(attributes),
    ) as (typeof objects)[number][1]['attributes'][string][];
    for (const [names, enums] of [
      ['integerEnum', raw.integerEnums],
      ['bitmapEnum', raw.bitmapEnums],
    ] as const) {
      const columns = objects
        .flatMap(([, { index = [], attributes }]) => [...index, ...Object.values(attributes)])
        .concat(ofNotifications)
        .filter(({ syntax }) => findSyntax(syntax ?? '')?.names === names)
        .map(({ oid = '' }) => normalizeOid(oid));
      assert.deepEqual([...new Set(columns)].sort(), [...enums.keys()].sort());
    }
  });
});
