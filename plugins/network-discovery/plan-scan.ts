import type { RawEntry } from '../../src/definitions/index.ts';
import { defineErrors, type WaywiserError } from '../../src/index.ts';
import { type AddressRange, hostsOf, parseNetwork } from '../../src/model/index.ts';
import { cutSegments, type Segment } from './address-segments.ts';
import { networkErrors } from './errors.ts';

const failure = defineErrors(networkErrors);

export interface PlanLimits {
  readonly exclude: readonly AddressRange[];
  /** The shortest prefix of an IPv6 network that is scanned. */
  readonly ipv6Prefix: number;
  readonly maxAddresses: number;
}

export interface ScanPlan {
  readonly segments: readonly Segment[];
  readonly addresses: number;
  /** Why some networks are left out. */
  readonly problems: readonly WaywiserError[];
}

/**
 * The addresses that a scan of these networks asks: each address and port once, for all networks that contain it. Networks
 * are added in order as long as they fit, each one completely or not at all.
 */
export function planScan(
  networks: Iterable<readonly [id: string, network: RawEntry<'networks'>]>,
  { exclude, ipv6Prefix, maxAddresses }: PlanLimits,
): ScanPlan {
  const problems: WaywiserError[] = [];
  const ranges: Segment[] = [];
  let total = 0n;
  for (const [network, { networks: texts, port = 161 }] of networks) {
    for (const range of texts) {
      const whole = parseNetwork(range);
      if (whole === undefined) continue;
      const count = sizeOf(whole);
      if (whole.family === 6 && count > 1n << BigInt(128 - ipv6Prefix)) {
        problems.push(failure('SCAN_IPV6_TOO_LARGE', { network, range, prefix: ipv6Prefix }));
      } else if (total + count > maxAddresses) {
        const details = { network, range, count: String(count), max: maxAddresses };
        problems.push(failure('SCAN_TOO_MANY_ADDRESSES', details));
      } else {
        total += count;
        ranges.push({ ...hostsOf(whole), port, networks: [network] });
      }
    }
  }
  const segments = cutSegments(ranges, [...exclude, ...neverDevices]);
  const addresses = segments.reduce((sum, segment) => sum + sizeOf(segment), 0n);
  return { segments, addresses: Number(addresses), problems };
}

function sizeOf({ first, last }: AddressRange): bigint {
  return last - first + 1n;
}

/** Addresses that no single device has: this network, multicast, broadcast. */
const neverDevices = ['0.0.0.0/8', '224.0.0.0/4', '255.255.255.255/32', '::/128', 'ff00::/8'].flatMap(
  (text) => parseNetwork(text) ?? [],
);
