import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { DeviceOrder, FirstOf } from '../../../plugins/snmp-api/devices/device-order.ts';
import { vendorOf } from '../../../plugins/snmp-api/devices/vendors.ts';
import type { DeviceSort } from '../../../src/model/index.ts';
import { compareNatural } from '../../../src/natural-order.ts';
import { seededRandom } from '../../../src/testing/index.ts';

const device = (name: string, ip: string, state: 'up' | 'down' = 'up', sinceMs = 0) => ({
  ref: { name, ip, port: 161 },
  status: { state, sinceMs },
});

describe('the order of devices', () => {
  it('compares numbers in names by their size, and letters regardless of their case', () => {
    const sorted = [
      '',
      '0',
      '00',
      '9-a',
      '10-a',
      'a',
      'a9',
      'A10',
      'a10b',
      'a10b2',
      'a10b11',
      'ab',
      'b-2-x',
      'b-10-x',
    ];
    sorted.push('sw-7', 'sw-007', 'sw-7-a', 'sw-07-b', 'sw-10', 'sw-010-a');
    const random = seededRandom(3);
    const mixed = [...sorted].sort(() => random() - 0.5);
    assert.deepEqual(mixed.sort(compareNatural), sorted);
    for (const [i, a] of sorted.entries()) {
      for (const [j, b] of sorted.entries())
        assert.equal(Math.sign(compareNatural(a, b)), Math.sign(i - j), `${a} ${b}`);
    }
  });

  it('puts problems first by state, IPv4 before IPv6 by address, and reverses with a minus', () => {
    const devices = [
      device('c', '10.0.0.10', 'up', 5),
      device('b', '10.0.0.9', 'down', 7),
      device('a', '2001:db8::1', 'up', 6),
    ];
    for (const [sort, expected] of [
      [undefined, 'abc'],
      ['name', 'abc'],
      ['-name', 'cba'],
      ['address', 'bca'],
      ['-address', 'acb'],
      ['state', 'bac'],
      ['since', 'cab'],
      ['vendor', 'abc'],
      ['-vendor', 'cab'],
    ] as const) {
      const order = new DeviceOrder(sort as DeviceSort | undefined);
      const placed = devices.map((each) => ({
        key: order.keyOf(each, ({ ref }) => (ref.name === 'c' ? 'Cisco' : undefined)),
        ref: each.ref,
      }));
      const names = placed.sort(order.compare).map(({ ref }) => ref.name);
      assert.equal(names.join(''), expected, sort);
    }
  });

  it('keeps no more than twice a page of what it sorts', () => {
    const order = new DeviceOrder('since');
    const random = seededRandom(5);
    const first = new FirstOf(10, order);
    const all = Array.from({ length: 5_000 }, (_, i) => ({
      key: Math.floor(random() * 1_000),
      ref: { name: `d${i}`, ip: '', port: 1 },
    }));
    let added = 0;
    for (const each of all) {
      if (!first.accepts(each)) continue;
      first.add(each);
      added++;
    }
    assert.deepEqual(first.list(), all.sort(order.compare).slice(0, 10));
    assert.ok(added < 200, `${added} of 5000 were kept for a while`);
  });

  it('names makers by the enterprise number, and others by their number', () => {
    for (const [sysObjectId, vendor] of [
      ['1.3.6.1.4.1.9.1.516', 'Cisco'],
      ['1.3.6.1.4.1.9', 'Cisco'],
      ['1.3.6.1.4.1.99999.7', 'enterprise 99999'],
      ['1.3.6.1.2.1.33', undefined],
      [undefined, undefined],
    ] as const)
      assert.equal(vendorOf(sysObjectId), vendor);
  });
});
