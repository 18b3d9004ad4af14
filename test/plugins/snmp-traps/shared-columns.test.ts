import { deepEqual, equal, notEqual, ok } from 'node:assert/strict';
import { describe, it } from 'node:test';
import { SharedColumns } from '../../../plugins/snmp-traps/record/shared-columns.ts';
import { type Value, valueAt } from '../../../src/index.ts';
import { columnOfOne } from '../../../src/pipeline/index.ts';

const text = { kind: 'text' } as const;
const gauge = { kind: 'gauge' } as const;

describe('columns of notifications', () => {
  it('are one for equal values of a field', () => {
    const columns = new SharedColumns();
    const first = columns.get('port.state', 'up', text);
    equal(columns.get('port.state', 'up', { kind: 'text' }), first);
    notEqual(columns.get('port.state', 'down', text), first);
    notEqual(columns.get('port.other', 'up', text), first);
  });

  it('are what the value, its kind and its unit make', () => {
    const columns = new SharedColumns();
    const values: [Value, Parameters<typeof columnOfOne>[2]][] = [
      [7, undefined],
      [7, gauge],
      [7, { kind: 'counter' }],
      [7, { kind: 'gauge', unit: '%' }],
      [2n ** 64n - 1n, undefined],
      [true, { kind: 'boolean' }],
      ['7', text],
      [['a', 'b'], { kind: 'list' }],
      [7, text],
    ];
    for (const [value, declared] of [...values, ...values])
      deepEqual(columns.get('field', value, declared), columnOfOne('field', value, declared));
    equal(columns.get('field', 7, text), undefined);
  });

  it('are not kept for a field whose values differ, or that are long', () => {
    const columns = new SharedColumns();
    for (let value = 0; value < 1_000; value++) {
      const column = columns.get('port', value, gauge);
      ok(column !== undefined && valueAt(column, 0) === value);
    }
    notEqual(columns.get('port', 1, gauge), columns.get('port', 1, gauge));
    const long = 'x'.repeat(1_000);
    notEqual(columns.get('name', long, text), columns.get('name', long, text));
  });

  it('stay right with more fields than are kept', () => {
    const columns = new SharedColumns();
    for (let round = 0; round < 2; round++) {
      for (let field = 0; field < 2_000; field++)
        deepEqual(columns.get(`field${field}`, 'up', text), columnOfOne(`field${field}`, 'up', text));
    }
  });
});
