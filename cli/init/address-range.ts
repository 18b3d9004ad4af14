import {
  type AddressRange,
  formatAddress,
  hostsOf,
  parseAddress,
  parseNetwork,
} from '../../src/model/address-range.ts';
import { usageFailure } from '../cli-errors.ts';
import { parseTargetAddress, resolveTarget } from '../snmp/options/target-address.ts';

export interface AddressList {
  readonly addresses: readonly string[];
  readonly port: number;
}

/** A larger network would take minutes; it is better probed in parts. */
const maxAddresses = 4_096;

/** Takes `192.0.2.0/24`, `192.0.2.10-20`, or a single device as in the other commands. */
export async function listAddresses(text: string): Promise<AddressList> {
  const [, range, portText = '161'] = /^([\d.]+[/-][\d.]+)(?::(\d{1,5}))?$/.exec(text) ?? [];
  if (range === undefined) {
    if (/^[\d.]+[/-]/.test(text)) throw usageFailure('INIT_RANGE_INVALID', { range: text });
    const { address, port } = await resolveTarget(parseTargetAddress(text));
    return { addresses: [address], port };
  }
  const port = Number(portText);
  const bounds = findBounds(range);
  if (bounds === undefined || port < 1 || port > 65_535) {
    throw usageFailure('INIT_RANGE_INVALID', { range: text });
  }
  const count = Number(bounds.last - bounds.first) + 1;
  if (count > maxAddresses) {
    throw usageFailure('INIT_RANGE_TOO_LARGE', { range: text, count, max: maxAddresses });
  }
  const { family, first } = bounds;
  const addresses = Array.from({ length: count }, (_, i) => formatAddress(family, first + BigInt(i)));
  return { addresses, port };
}

/** The first and the last host. In a network, its own address and the broadcast address are left out. */
function findBounds(range: string): AddressRange | undefined {
  const [start = '', end = ''] = range.split('-');
  if (range.includes('/')) {
    const network = parseNetwork(range);
    return network && hostsOf(network);
  }
  const first = parseAddress(start);
  const last = parseAddress(/^\d{1,3}$/.test(end) ? start.replace(/\d+$/, end) : end);
  if (first === undefined || last === undefined || last.last < first.first) return undefined;
  return { ...first, last: last.last };
}
