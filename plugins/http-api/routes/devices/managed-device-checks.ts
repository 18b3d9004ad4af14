import ipaddr from 'ipaddr.js';
import type { DeviceProblem } from '../../../definitions-loader/service.ts';
import type { ManagedSettings } from '../../../device-registry/service.ts';
import type { HttpOptions } from '../../options.ts';
import { httpStartFailure } from '../../security/start-failure.ts';

/** Says why a device of the API may not be at an address; undefined when it may. */
export type AddressCheck = (address: string) => string | undefined;

/**
 * Keeps whoever may add devices from aiming the collector, and the credentials it sends, at itself and its neighbours.
 * Takes canonical addresses. Throws when a network is none.
 */
export function createAddressCheck({
  networks,
  host_names: takesNames,
}: HttpOptions['managed_devices']): AddressCheck {
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

/** What there is against the secrets that a device of the API names. */
export type SecretCheck = (settings: ManagedSettings) => readonly DeviceProblem[];

/**
 * Whoever may add a device chooses where its secrets are sent. So the operator says which ones devices of the API may name,
 * by `env:SNMP_*` or `file:core`; a star at the end stands for anything.
 */
export function createSecretCheck({ secrets }: HttpOptions['managed_devices']): SecretCheck {
  const isAllowed = (reference: string): boolean => {
    const name = reference.slice(2, -1);
    return secrets.some((allowed) =>
      allowed.endsWith('*') ? name.startsWith(allowed.slice(0, -1)) : name === allowed,
    );
  };
  return (settings) =>
    listReferences(settings)
      .filter(([, reference]) => !isAllowed(reference))
      .map(([path, reference]) => ({
        level: 'error',
        path,
        rule: 'unresolved-secret',
        message: `Devices of the API may not name ${reference}; \`managed_devices.secrets\` of http-api can allow it.`,
      }));
}

function listReferences({ communities = [], v3_credentials: users = [] }: ManagedSettings) {
  const found: [path: string, reference: string][] = communities.map((text, index) => [
    `communities.${index}`,
    text,
  ]);
  for (const [index, user] of users.entries()) {
    for (const key of secretKeys) {
      const text = user[key];
      if (text !== undefined) found.push([`v3_credentials.${index}.${key}`, text]);
    }
  }
  return found.filter(([, text]) => text.startsWith('${'));
}

const secretKeys = ['authentication_passphrase', 'privacy_passphrase', 'secret_key', 'privacy_key'] as const;
