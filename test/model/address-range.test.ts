import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { formatAddress, hostsOf, parseAddress, parseNetwork } from '../../src/model/address-range.ts';
import { canonicalAddress } from '../../src/model/device-address.ts';

const spell = (network: string) => {
  const range = parseNetwork(network);
  if (range === undefined) return undefined;
  const { family, first, last } = hostsOf(range);
  return `${formatAddress(family, first)} … ${formatAddress(family, last)}`;
};

describe('a range of addresses', () => {
  it('contains the hosts of an IPv4 network, and all addresses of a small one', () => {
    assert.equal(spell('192.0.2.77/24'), '192.0.2.1 … 192.0.2.254');
    assert.equal(spell('192.0.2.8/30'), '192.0.2.9 … 192.0.2.10');
    assert.equal(spell('192.0.2.8/31'), '192.0.2.8 … 192.0.2.9');
    assert.equal(spell('192.0.2.8/32'), '192.0.2.8 … 192.0.2.8');
    assert.equal(spell('0.0.0.0/0'), '0.0.0.1 … 255.255.255.254');
  });

  it('contains all addresses of an IPv6 network, in canonical form', () => {
    assert.equal(spell('2001:DB8:0::5/126'), '2001:db8::4 … 2001:db8::7');
    assert.equal(spell('fe80::/64'), 'fe80:: … fe80::ffff:ffff:ffff:ffff');
    for (const text of ['2001:db8::', '::1', 'fe80::1:0:0:1', '10.0.0.1']) {
      const { family, first } = parseAddress(text)!;
      assert.equal(formatAddress(family, first), canonicalAddress(text));
    }
  });

  it('is the IPv4 range for a network mapped into IPv6', () => {
    assert.equal(spell('::ffff:192.0.2.0/120'), '192.0.2.1 … 192.0.2.254');
    assert.equal(parseNetwork('::ffff:192.0.2.0/90'), undefined);
  });

  it('is undefined for text that is not a network', () => {
    const none = [
      '192.0.2.0',
      '10.1/16',
      '010.0.0.0/8',
      '192.0.2.0/33',
      '2001:db8::/129',
      'fe80::%lo/64',
      'lan/24',
    ];
    for (const text of none) assert.equal(parseNetwork(text), undefined, text);
  });
});
