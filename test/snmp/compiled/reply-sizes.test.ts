import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { compileTable } from '../../../src/snmp/index.ts';

const instances = Array.from({ length: 100 }, (_, row) => String(row + 1));
const compileColumn = () =>
  compileTable({
    dialect: { version: '2c', community: 'public' },
    columns: ['1.3.6.1.2.1.2.2.1.10'],
    instances,
    firstSlot: 0,
  })[0]!;

describe('the number of varbinds that a compiled request asks for', () => {
  it('grows again after replies with one value', () => {
    const request = compileColumn();
    // The last value of a column: error-status, error-index, list, and a varbind of 16 octets.
    for (let i = 0; i < 100; i++) request.learnSize(24, 1);
    assert.ok(request.template(0, true, Number.POSITIVE_INFINITY).ask > 50);
  });

  it('follows the size of the values', () => {
    const request = compileColumn();
    for (let i = 0; i < 100; i++) request.learnSize(10 + 10 * 140, 10);
    assert.equal(request.template(0, true, Number.POSITIVE_INFINITY).ask, 10);
  });
});
