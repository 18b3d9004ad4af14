import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { findSyntax } from '../../src/model/definitions/syntax/syntax-table.ts';
import { loadShippedDefinitions } from './shipped.ts';

const objects = [...loadShippedDefinitions().objects.values()];
const attributes = objects.flatMap((object) =>
  [...object.attributes.values()].map((attribute) => ({
    ...attribute,
    id: `${object.id}/${attribute.name}`,
  })),
);
const parts = objects.flatMap(({ index }) => index);
const names = new Set([
  ...parts.flatMap(({ field }) => field ?? []),
  ...attributes.flatMap(({ fields }) => fields.map(({ field }) => field)),
]);

describe('fields of the shipped definitions', () => {
  it('are dotted paths in lower case', () => {
    assert.deepEqual(
      [...names].filter((name) => !/^[a-z][a-z0-9_]*(\.[a-z0-9_]+)+$/.test(name)),
      [],
    );
  });

  it('are either a value or a branch, in every record alike', () => {
    const branches = new Set([...names].flatMap(parentsOf));
    assert.deepEqual(
      [...names].filter((name) => branches.has(name)),
      [],
    );
  });

  it('mean the same everywhere: one unit, one metric, a number or none', () => {
    const meanings = new Map<string, Set<string>>();
    for (const { fields, syntax, metric, ...attribute } of attributes) {
      const unit = attribute.unit ?? findSyntax(syntax)?.unit;
      for (const { field, kind } of fields.slice(0, 1)) {
        const meaning = `${kind === 'counter' ? 'number' : kind}, ${unit}, ${metric}`;
        meanings.set(field, (meanings.get(field) ?? new Set()).add(meaning));
      }
    }
    assert.deepEqual(
      [...meanings].filter(([, { size }]) => size > 1),
      [],
    );
  });

  it('come from a column that no other attribute reads', () => {
    const columns = new Set(attributes.map(({ column }) => column));
    assert.equal(columns.size, attributes.length);
  });

  it('never contradict the unit that their syntax makes', () => {
    const contradicting = attributes.filter(({ syntax, unit }) => {
      const made = findSyntax(syntax)?.unit;
      return made !== undefined && unit !== undefined && unit !== made;
    });
    assert.deepEqual(
      contradicting.map(({ id }) => id),
      [],
    );
  });

  it('are a metric only where they are numbers', () => {
    const wrong = attributes.filter(
      ({ fields, metric }) => metric !== undefined && !['number', 'counter'].includes(fields[0]?.kind ?? ''),
    );
    assert.deepEqual(
      wrong.map(({ id }) => id),
      [],
    );
  });

  it('have a description of one line, without a full stop', () => {
    const wrong = attributes.filter(
      ({ description = '' }) =>
        description.length < 4 || description.length > 120 || /\n|\.$/.test(description),
    );
    assert.deepEqual(
      wrong.map(({ id }) => id),
      [],
    );
  });
});

function parentsOf(field: string): string[] {
  const steps = field.split('.');
  return steps.slice(1).map((_, at) => steps.slice(0, at + 1).join('.'));
}
