import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { type Batch, gapAt, valueAt } from '../../src/model/batch.ts';
import { buildColumns } from '../../src/pipeline/batch-rows.ts';

const read = (built: Pick<Batch, 'rows' | 'columns'>) =>
  Object.fromEntries(
    built.columns.map((column) => [
      column.field,
      [column.kind, ...built.rows.keys.map((_, row) => valueAt(column, row) ?? gapAt(column, row))],
    ]),
  );

describe('columns from rows', () => {
  it('have the kind of their first value', () => {
    const values = { gauge: 1.5, counter: 2n ** 64n - 1n, yes: true, text: 'x', list: ['a', 'b'] };
    const built = buildColumns([{ values }]);
    assert.deepEqual(read(built), {
      gauge: ['number', 1.5],
      counter: ['counter', 2n ** 64n - 1n],
      yes: ['boolean', true],
      text: ['text', 'x'],
      list: ['list', ['a', 'b']],
    });
    assert.deepEqual(
      built.columns.map(({ metric }) => metric),
      ['gauge', 'counter', undefined, undefined, undefined],
    );
    assert.ok(built.columns.every(({ gaps }) => gaps === undefined));
  });

  it('have the kind and the unit that are declared', () => {
    const fields = { requests: { kind: 'counter' }, load: { kind: 'gauge', unit: '%' } } as const;
    const built = buildColumns([{ values: { requests: 7, load: 5n } }], fields);
    assert.deepEqual(read(built), { requests: ['counter', 7], load: ['number', 5] });
    assert.equal(built.columns[1]?.unit, '%');
  });

  it('are there for every declared field, as gaps where no row has a value', () => {
    const built = buildColumns([{ gap: 'timeout' }, {}], { up: { kind: 'boolean' }, name: { kind: 'text' } });
    assert.deepEqual(read(built), {
      up: ['boolean', 'timeout', 'noSuchInstance'],
      name: ['text', 'timeout', 'noSuchInstance'],
    });
  });

  it('leave out a field that is not declared and that no row has', () => {
    assert.deepEqual(buildColumns([{ values: { nothing: undefined } }]).columns, []);
  });

  it('have a gap where a row lacks a value, with the reason of that row', () => {
    const rows = [{ values: { a: 1 } }, { values: {}, gap: 'down' }, { values: { a: undefined } }] as const;
    assert.deepEqual(read(buildColumns(rows)), { a: ['number', 1, 'down', 'noSuchInstance'] });
  });

  it('have a decode gap where a value does not fit', () => {
    const fields = { c: { kind: 'counter' } } as const;
    const rows = [
      { values: { c: -1, n: 1 } },
      { values: { c: 0.5, n: 'one' } },
      { values: { c: '7', n: 2 } },
    ];
    assert.deepEqual(read(buildColumns(rows, fields)), {
      c: ['counter', 'decode', 'decode', 'decode'],
      n: ['number', 1, 'decode', 2],
    });
  });

  it('keep keys and labels by row; a key that is not given is the number of the row', () => {
    const { rows } = buildColumns([{ key: 'eth0', labels: { port: '1' } }, { labels: { side: 'left' } }]);
    assert.deepEqual(rows, {
      count: 2,
      keys: ['eth0', '2'],
      labels: { port: ['1', undefined], side: [undefined, 'left'] },
    });
  });

  it('are none without rows', () => {
    assert.deepEqual(buildColumns([]), { rows: { count: 0, keys: [], labels: {} }, columns: [] });
  });
});
