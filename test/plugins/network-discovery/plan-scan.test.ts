import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import * as fc from 'fast-check';
import { addressesOf } from '../../../plugins/network-discovery/address-segments.ts';
import { planScan } from '../../../plugins/network-discovery/plan-scan.ts';
import { parseNetwork } from '../../../src/model/index.ts';

const limits = { exclude: [], ipv6Prefix: 112, maxAddresses: 100_000 };
const credentials = [{ version: '2c', community: 'x' }] as const;
const network = (id: string, networks: readonly string[], port?: number) =>
  [id, { credentials, networks, ...(port === undefined ? {} : { port }) }] as const;

const listOf = (...parameters: Parameters<typeof planScan>) =>
  Array.from(
    addressesOf(planScan(...parameters).segments),
    ({ ip, port, networks }) => `${ip}:${port} ${networks.join('+')}`,
  );

describe('the plan of a scan', () => {
  it('contains each address and port once, for all networks that contain it', () => {
    const office = network('office', ['192.0.2.0/30', '192.0.2.2/32']);
    const lab = network('lab', ['192.0.2.0/29']);
    assert.deepEqual(listOf([office, lab, network('other', ['192.0.2.1/32'], 1161)], limits), [
      '192.0.2.1:161 office+lab',
      '192.0.2.2:161 office+lab',
      '192.0.2.3:161 lab',
      '192.0.2.4:161 lab',
      '192.0.2.5:161 lab',
      '192.0.2.6:161 lab',
      '192.0.2.1:1161 other',
    ]);
  });

  it('leaves out excluded addresses, and addresses that no device has', () => {
    const exclude = ['192.0.2.2/31', '2001:db8::/127'].map((text) => parseNetwork(text)!);
    const all = network('all', [
      '192.0.2.0/29',
      '2001:db8::/126',
      '224.0.0.0/30',
      '0.0.0.0/30',
      'ff02::/127',
    ]);
    assert.deepEqual(listOf([all], { ...limits, exclude }), [
      '192.0.2.1:161 all',
      '192.0.2.4:161 all',
      '192.0.2.5:161 all',
      '192.0.2.6:161 all',
      '2001:db8::2:161 all',
      '2001:db8::3:161 all',
    ]);
  });

  it('adds networks as long as they fit, and reports those that do not', () => {
    const networks = ['10.0.0.0/16', '10.1.0.0/16', '192.0.2.0/30', '2001:db8::/96', '2001:db8::/112'];
    const { addresses, problems } = planScan([network('wide', networks)], {
      ...limits,
      maxAddresses: 70_000,
    });
    assert.equal(addresses, 65_534 + 2);
    assert.deepEqual(
      problems.map(({ code, message }) => `${code} ${/network (\S+)/.exec(message)?.[1]}`),
      [
        'SCAN_TOO_MANY_ADDRESSES 10.1.0.0/16',
        'SCAN_IPV6_TOO_LARGE 2001:db8::/96',
        'SCAN_TOO_MANY_ADDRESSES 2001:db8::/112',
      ],
    );
  });

  it('equals a list made address by address, for any networks and exclusions', () => {
    const bits = fc.integer({ min: 26, max: 32 });
    const cidr = fc.tuple(fc.integer({ min: 0, max: 127 }), bits).map(([host, b]) => `10.0.0.${host}/${b}`);
    const some = fc.array(cidr, { maxLength: 6 });
    fc.assert(
      fc.property(some, some, some, (first, second, excluded) => {
        const exclude = excluded.map((text) => parseNetwork(text)!);
        const found = listOf([network('a', first), network('b', second)], { ...limits, exclude });
        const expected: string[] = [];
        for (let host = 0; host < 256; host++) {
          const holders = ['a', 'b'].filter((id) =>
            (id === 'a' ? first : second).some((text) => isHost(text, host)),
          );
          const isExcluded = excluded.some((text) => isInside(text, host));
          if (holders.length > 0 && !isExcluded) expected.push(`10.0.0.${host}:161 ${holders.join('+')}`);
        }
        assert.deepEqual(found, expected);
      }),
    );
  });
});

function isInside(cidr: string, host: number): boolean {
  const [start, size] = boundsOf(cidr);
  return host >= start && host < start + size;
}

function isHost(cidr: string, host: number): boolean {
  const [start, size] = boundsOf(cidr);
  return size <= 2 ? isInside(cidr, host) : host > start && host < start + size - 1;
}

function boundsOf(cidr: string): readonly [start: number, size: number] {
  const [, host = '', bits = ''] = /\.(\d+)\/(\d+)$/.exec(cidr) ?? [];
  const size = 2 ** (32 - Number(bits));
  return [Math.floor(Number(host) / size) * size, size];
}
