import assert from 'node:assert/strict';
import { describe, it } from 'node:test';

const { ValuesTable } = await import(new URL('../../examples/demo/values-table.js', import.meta.url).href);

function rowOf(name: string, received: number, sent: number) {
  const values = {
    'netif.bytes.in_rate': received,
    'netif.bytes.out_rate': sent,
    'netif.status.oper.name': 'up',
  };
  return { key: name, labels: { 'netif.name': name }, values };
}
const up = { key: 'device', labels: {}, values: { up: true } };

describe('the table of first values', () => {
  it('shows the busiest interface and one other value of each device', () => {
    const table = new ValuesTable();
    assert.equal(table.hasTraffic, false);
    table.add('switch-1', [up, rowOf('ge-1', 10, 20), rowOf('ge-2', 125_000, 1_250_000)]);
    assert.equal(table.hasTraffic, true);
    const charge = { key: 'c', labels: { 'sensor.class': 'charge' }, values: { 'sensor.value': 88 } };
    table.add('ups-1', [up, charge]);
    table.add('gone', [{ key: 'device', labels: {}, values: { up: false } }]);
    assert.equal(
      table.format(Number.POSITIVE_INFINITY),
      `device    interface  state          in        out  other value
gone                                               does not answer
switch-1  ge-2       up     1.0 Mbit/s  10 Mbit/s
ups-1                                              battery at 88 %`,
    );
  });

  it('shows text from devices without control characters, and cuts long lines', () => {
    const table = new ValuesTable();
    table.add('switch-1', [up, rowOf('\u001b[2J\u202eevil\n\u2028next', 1, 1)]);
    const lines = table.format(40).split('\n');
    assert.equal(lines.length, 2);
    for (const line of lines) {
      assert.ok(line.length <= 40, line);
      assert.doesNotMatch(line, /[\p{C}\u2028]/u);
    }
    assert.match(lines[1] ?? '', /\?\[2J\?evil\?\?next/);
  });
});
