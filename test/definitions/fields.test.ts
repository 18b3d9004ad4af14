import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { findSyntax, suggestSyntax } from '../../src/model/definitions/syntax/syntax-table.ts';
import { fieldsOf, recordOf, shipped } from './shipped.ts';

const objects = shipped('objects');
const fields = [...objects].flatMap(([id, object]) => fieldsOf(id, object));
const attributes = [...objects].flatMap(([id, object]) =>
  Object.entries(object.attributes).map(([name, attribute]) => ({ id: `${id}/${name}`, ...attribute })),
);

describe('fields of the shipped definitions', () => {
  it('have a syntax that exists', () => {
    const unknown = [...objects.values()]
      .flatMap(({ index = [], attributes }) => [...index, ...Object.values(attributes)])
      .filter(({ syntax }) => findSyntax(syntax ?? '') === undefined);
    assert.deepEqual(
      unknown.map(({ syntax }) => `${syntax}: ${suggestSyntax(syntax ?? '')}?`),
      [],
    );
  });

  it('are dotted paths in lower case', () => {
    assert.deepEqual(
      fields.filter(({ field }) => !/^[a-z][a-z0-9_]*(\.[a-z0-9_]+)+$/.test(field)),
      [],
    );
  });

  it('are written once in a record, save by what overrides', () => {
    const overridden = new Set(fields.map((field) => field.overrides));
    const writers = groupBy(
      fields.filter(({ object, attribute }) => !overridden.has(`${object}/${attribute}`)),
      ({ object, field }) => `${recordOf(objects, object)} ${field}`,
    );
    assert.deepEqual(
      [...writers].filter(([, list]) => list.length > 1),
      [],
    );
  });

  it('are either a value or a branch, in every record alike', () => {
    const leaves = new Set(fields.map(({ field }) => field));
    const branches = new Set([...leaves].flatMap((field) => parentsOf(field)));
    assert.deepEqual(
      [...leaves].filter((field) => branches.has(field)),
      [],
    );
  });

  it('mean the same everywhere: one unit, one metric', () => {
    const meanings = groupBy(
      fields.filter(({ attribute }) => attribute !== undefined),
      ({ field }) => field,
    );
    const differing = [...meanings].filter(
      ([, list]) => new Set(list.map(({ metric, unit }) => `${metric} ${unit}`)).size > 1,
    );
    assert.deepEqual(differing, []);
  });

  it('have the unit that their syntax makes', () => {
    const wrong = attributes.filter(({ syntax, unit }) => (findSyntax(syntax)?.unit ?? unit) !== unit);
    assert.deepEqual(wrong, []);
  });

  it('are a metric only where they are numbers', () => {
    const wrong = attributes.filter(
      ({ syntax, metric }) =>
        metric !== undefined && !['number', 'counter'].includes(findSyntax(syntax)?.kind ?? ''),
    );
    assert.deepEqual(wrong, []);
  });

  it('have a description of one line, without a full stop', () => {
    const wrong = attributes.filter(
      ({ description = '' }) =>
        description.length < 4 || description.length > 120 || /\n|\.$/.test(description),
    );
    assert.deepEqual(wrong, []);
  });

  it('come from a column that no other attribute reads', () => {
    assert.deepEqual(
      [...groupBy(attributes, ({ oid }) => oid)].filter(([, list]) => list.length > 1),
      [],
    );
  });
});

function parentsOf(field: string): string[] {
  const parts = field.split('.');
  return parts.slice(1).map((_, at) => parts.slice(0, at + 1).join('.'));
}

function groupBy<Item>(items: readonly Item[], keyOf: (item: Item) => string): Map<string, Item[]> {
  const groups = new Map<string, Item[]>();
  for (const item of items) groups.set(keyOf(item), [...(groups.get(keyOf(item)) ?? []), item]);
  return groups;
}
