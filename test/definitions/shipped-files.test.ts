import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { Value } from '@sinclair/typebox/value';
import { definitionSchemas } from '../../src/model/definitions/schema/definition-kinds.ts';
import { readShippedFiles, shipped } from './shipped.ts';

const files = readShippedFiles();

describe('the files of the shipped definitions', () => {
  it('are all of a kind that somebody reads', () => {
    assert.ok(files.length > 50);
    assert.deepEqual(
      files.filter((file) => file.kind === undefined).map((file) => file.path),
      [],
    );
  });

  it('match the schema of their kind', () => {
    const problems = files.flatMap(({ path, kind, entries }) =>
      Object.entries(entries).flatMap(([id, entry]) =>
        [...Value.Errors(definitionSchemas[kind!], entry)].map(
          (error) => `${path}: ${id}${error.path}: ${error.message}`,
        ),
      ),
    );
    assert.deepEqual(problems, []);
  });

  it('define no id twice', () => {
    const places = new Map<string, string[]>();
    for (const { path, kind, entries } of files) {
      for (const id of Object.keys(entries)) {
        const key = `${kind} ${id}`;
        places.set(key, [...(places.get(key) ?? []), path]);
      }
    }
    assert.deepEqual(
      [...places].filter(([, paths]) => paths.length > 1),
      [],
    );
  });

  it('write every OID with a dot in front', () => {
    const ids = files
      .filter(({ kind }) => kind?.endsWith('Enums') || kind === 'sysObjectIds')
      .flatMap(({ entries }) => Object.keys(entries));
    const oids = [...shipped('objects').values()].flatMap(({ index = [], attributes }) => [
      ...index.map((part) => part.oid ?? ''),
      ...Object.values(attributes).map((attribute) => attribute.oid),
    ]);
    assert.deepEqual(
      [...ids, ...oids].filter((oid) => !/^(\.\d+)+$/.test(oid)),
      [],
    );
  });
});
