import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import type { RawObject } from '../../src/definitions/schema/raw-definitions.ts';
import { missingShared, sharedPath } from '../support/needs.ts';
import { type MibObject, readMibObjects } from './mib-objects.ts';
import { loadShippedDefinitions } from './shipped.ts';

const skip = missingShared('mibs');
const { raw, objects: compiled } = loadShippedDefinitions();
const { objects } = raw;

describe('the shipped definitions beside the MIBs', { skip }, () => {
  const mibObjects = skip === false ? readMibObjects(sharedPath('mibs')) : [];
  const mibs = new Set(mibObjects.map(({ mib }) => mib));
  const byName = new Map(mibObjects.map((object) => [`${object.mib}::${object.name}`, object]));
  const byOid = new Map(mibObjects.map((object) => [`.${object.oid}`, object]));
  const known = [...objects].filter(([, { mib }]) => mibs.has(mib ?? ''));
  const columns = known.flatMap(([id, object]) =>
    Object.entries(object.attributes).map(([name, attribute]) => ({
      ...attribute,
      column: `${id}/${name}`,
      found: byName.get(`${object.mib}::${name}`),
    })),
  );

  it('cover most shipped definitions', () => {
    assert.ok(columns.length > 800, String(columns.length));
  });

  it('name every column as the MIB does, under its OID', () => {
    const wrong = columns.filter(({ oid, found }) => found === undefined || `.${found.oid}` !== oid);
    assert.deepEqual(
      wrong.map(({ column, oid, found }) => `${column} ${oid}, the MIB has ${found?.oid}`),
      [],
    );
  });

  it('contain only objects that can be read', () => {
    assert.deepEqual(
      columns.filter(({ found }) => !/^read-(only|write|create)$/.test(found?.access ?? '')),
      [],
    );
  });

  it('contain columns of the entry that the object is named after', () => {
    const wrong = known.flatMap(([id, object]) => {
      const entry = byName.get(`${object.mib}::${object.object}`);
      if (entry === undefined) return [];
      return Object.entries(object.attributes)
        .filter(([, { oid }]) => oid.replace(/\.\d+$/, '') !== `.${entry.oid}`)
        .map(([name]) => `${id}/${name}`);
    });
    assert.deepEqual(wrong, []);
  });

  it('split an index into the parts of the INDEX clause, in its order', () => {
    const wrong = known.flatMap(([id, object]) => {
      const clause = byName.get(`${object.mib}::${object.object}`)?.index;
      const parts = object.index?.map(({ oid }) => byOid.get(oid ?? '')?.name);
      return clause === undefined || parts === undefined || parts.join() === clause.join()
        ? []
        : [`${id}: ${parts} for ${clause}`];
    });
    assert.deepEqual(wrong, []);
  });

  it('augment objects with as many index parts as the entry has in the MIB', () => {
    const wrong = known.filter(([id, object]) => {
      const clause = byName.get(`${object.mib}::${object.object}`)?.index;
      return clause !== undefined && clause.length !== compiled.get(id)?.index.length;
    });
    assert.deepEqual(
      wrong.map(([id]) => id),
      [],
    );
  });

  it('mark as counters what the MIB counts', () => {
    const wrong = columns.filter(
      ({ found, metric }) =>
        /^(Counter(32|64)|ZeroBasedCounter\d+)$/.test(found?.syntax ?? '') && metric !== 'counter',
    );
    assert.deepEqual(
      wrong.map(({ column }) => column),
      ['Q-BRIDGE-MIB::dot1qFdbEntry/dot1qFdbDynamicCount'],
      'dot1qFdbDynamicCount is a number of entries in spite of its type',
    );
  });

  it('have no 32-bit counter that overrides a 64-bit counter', () => {
    const wrong = columns.filter(
      ({ found, overrides }) =>
        found?.syntax === 'Counter32' &&
        overrides !== undefined &&
        mibObjectOf(objects.get(overrides.object), overrides.attribute, byName)?.syntax === 'Counter64',
    );
    assert.deepEqual(wrong, []);
  });
});

function mibObjectOf(
  object: RawObject | undefined,
  attribute: string,
  byName: ReadonlyMap<string, MibObject>,
): MibObject | undefined {
  return byName.get(`${object?.mib}::${attribute}`);
}
