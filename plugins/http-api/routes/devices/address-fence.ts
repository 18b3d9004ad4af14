import ipaddr from 'ipaddr.js';
import type { HttpOptions } from '../../options.ts';
import { httpStartFailure } from '../../security/start-failure.ts';

/** Says why a device of the API may not be at an address; undefined when it may. */
export type AddressFence = (address: string) => string | undefined;

/**
 * Keeps whoever may add devices from aiming the collector, and the credentials it sends, at itself and its neighbours.
 * Takes canonical addresses. Throws when a network is none.
 */
export function createAddressFence({
  networks,
  host_names: takesNames,
}: HttpOptions['managed_devices']): AddressFence {
  const allowed = networks?.map(parseNetwork);
  return (address) => {
    if (!ipaddr.isValid(address)) {
      return takesNames ? undefined : 'it is a host name, which may lead anywhere; give an address';
    }
    const parsed = ipaddr.process(address);
    if (allowed !== undefined) {
      const isInside = allowed.some(
        ([network, bits]) => network.kind() === parsed.kind() && parsed.match(network, bits),
      );
      return isInside ? undefined : 'it is in none of `managed_devices.networks` of http-api';
    }
    const range = refusedRanges.get(parsed.range());
    return range === undefined
      ? undefined
      : `it is ${range}; \`managed_devices.networks\` of http-api can allow it`;
  };
}

type Network = ReturnType<typeof ipaddr.parseCIDR>;

function parseNetwork(text: string): Network {
  if (!ipaddr.isValidCIDR(text)) throw httpStartFailure('HTTP_NETWORK_INVALID', { network: text });
  return ipaddr.parseCIDR(text);
}

/** Where no device of a network is, and where others may listen. */
const refusedRanges: ReadonlyMap<string, string> = new Map([
  ['loopback', 'the collector itself'],
  ['unspecified', 'no address of a device'],
  ['linkLocal', 'a link-local address'],
  ['multicast', 'a multicast address'],
  ['broadcast', 'a broadcast address'],
]);
