import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { DeviceTable } from '../../../plugins/device-registry/device-table.ts';

describe('the device table', () => {
  it('finds a device by any spelling of its address', () => {
    const table = new DeviceTable();
    table.replaceAll([device('six', '2001:db8::1'), device('four', '192.0.2.1')], 0);
    for (const spelling of ['2001:db8::1', '2001:DB8:0:0:0:0:0:1', '2001:0db8:0000::0001']) {
      assert.equal(table.find(spelling, 161)?.ref.name, 'six', spelling);
    }
    assert.equal(table.find('::ffff:192.0.2.1', 161)?.ref.name, 'four');
    assert.equal(table.find('192.0.2.1', 162), undefined);
  });

  it('keeps two devices with the same address and different ports apart', () => {
    const table = new DeviceTable();
    table.replaceAll([device('a', '192.0.2.1', 161), device('b', '192.0.2.1', 1161)], 0);
    assert.equal(table.size, 2);
    assert.equal(table.find('192.0.2.1', 1161)?.ref.name, 'b');
  });

  it('keeps the object and the status of a device whose settings change', () => {
    const table = new DeviceTable();
    table.replaceAll([device('a', '192.0.2.1')], 0);
    const before = table.find('192.0.2.1', 161)!;
    before.setStatus({ ...before.status, state: 'up' });
    const change = table.replaceAll([device('a', '192.0.2.1', 161, { retries: 5 })], 10);
    assert.deepEqual([change.added.length, change.changed.length, change.removed.length], [0, 1, 0]);
    assert.equal(table.find('192.0.2.1', 161), before);
    assert.equal(before.settings.retries, 5);
    assert.equal(before.status.state, 'up');
  });

  it('reports no change for equal settings in new objects', () => {
    const table = new DeviceTable();
    table.replaceAll([device('a', '192.0.2.1')], 0);
    assert.deepEqual(table.replaceAll([device('a', '192.0.2.1')], 1), {
      added: [],
      changed: [],
      removed: [],
    });
  });

  it('follows a renamed device, and forgets a removed one', () => {
    const table = new DeviceTable();
    table.replaceAll([device('a', '192.0.2.1'), device('b', '192.0.2.2')], 0);
    const { changed, removed } = table.replaceAll([device('core', '192.0.2.1')], 1);
    assert.deepEqual(
      changed.map(({ ref }) => ref.name),
      ['core'],
    );
    assert.deepEqual(
      removed.map(({ ref }) => ref.name),
      ['b'],
    );
    assert.deepEqual(table.findNamed('a'), []);
    assert.deepEqual(
      table.findNamed('core').map(({ ref }) => ref.ip),
      ['192.0.2.1'],
    );
  });

  it('keeps the first of two devices with the same address and port', () => {
    const table = new DeviceTable();
    table.replaceAll([device('file', '192.0.2.1'), device('api', '::ffff:192.0.2.1')], 0);
    assert.equal(table.size, 1);
    assert.equal(table.find('192.0.2.1', 161)?.ref.name, 'file');
  });

  it('finds the nearest device: the same address first, then the nearest spelling', () => {
    const table = new DeviceTable();
    table.replaceAll([device('a', '192.0.2.10', 1161), device('b', '192.0.2.77')], 0);
    assert.equal(table.findNearest('192.0.2.10', 161)?.ref.name, 'a');
    assert.equal(table.findNearest('192.0.2.78', 161)?.ref.name, 'b');
    assert.equal(table.findNearest('2001:db8::1', 9), undefined);
  });

  it('reports no change when 100,000 devices are replaced by equal ones', () => {
    const devices = Array.from({ length: 100_000 }, (_, i) =>
      device(`d${i}`, `10.${i >> 16}.${(i >> 8) & 255}.${i & 255}`),
    );
    const table = new DeviceTable();
    assert.equal(table.replaceAll(devices, 0).added.length, 100_000);
    const change = table.replaceAll(devices, 1);
    assert.equal(table.size, 100_000);
    assert.deepEqual([change.added.length, change.changed.length, change.removed.length], [0, 0, 0]);
  });
});

function device(name: string, ip: string, port = 161, more: Readonly<Record<string, unknown>> = {}) {
  const settings = { ip, port, version: '2c' as const, communities: ['public'], ...more };
  const canonical = ip.startsWith('::ffff:') ? ip.slice(7) : ip;
  return {
    ref: { name, ip: canonical, port },
    settings,
    settingOrigins: {},
    origin: { file: 'x.yml', line: 1 },
    source: 'files' as const,
  };
}
