import { deepEqual, ok, throws } from 'node:assert/strict';
import { it } from 'node:test';
import type { RawObject } from '../../src/definitions/schema/raw-definitions.ts';
import { findObjects } from '../../tools/pages/collected-page.ts';
import { namedTables, namedVendors } from '../../tools/pages/named-subjects.ts';

const objects = new Map<string, RawObject>([
  ['A-MIB::cpuEntry', { attributes: {} }],
  ['A-MIB::tunnelEntry', { attributes: {}, record: 'tunnel' } as RawObject],
  ['B-MIB::fanEntry', { attributes: {} }],
]);
const folders = new Map([['vendor/b', ['B-MIB::fanEntry']]]);
const find = (...places: string[]) => findObjects({ name: 'it', objects: places }, objects, folders);

it('a subject names objects by id, by the beginning of ids, by folder and by record', () => {
  deepEqual(find('A-MIB::cpuEntry'), ['A-MIB::cpuEntry']);
  deepEqual(find('A-MIB::*', 'vendor/b'), ['A-MIB::cpuEntry', 'A-MIB::tunnelEntry', 'B-MIB::fanEntry']);
  deepEqual(find('record:tunnel', 'A-MIB::*'), ['A-MIB::tunnelEntry', 'A-MIB::cpuEntry']);
});

it('docs/collected.md cannot be written with a subject that names no object', () => {
  throws(() => find('A-MIB::cpu'), /it: no object is A-MIB::cpu/);
  throws(() => find('record:licence'), /it: no object is record:licence/);
});

it('every subject of which nothing is collected says why', () => {
  for (const { name, objects: places, missing } of [...namedVendors, ...namedTables])
    ok(places.length > 0 || missing !== undefined, name);
});
