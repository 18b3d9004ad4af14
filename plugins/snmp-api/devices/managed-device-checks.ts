import ipaddr from 'ipaddr.js';
import { containsRange, parseAddress, parseNetwork } from '../../../src/model/index.ts';
import type { DeviceProblem } from '../../definitions-loader/service.ts';
import type { ManagedSettings } from '../../device-registry/service.ts';
import type { ManagedDeviceRules } from '../../http-routes/service.ts';

/** Returns why a client may not add a device at an address; undefined when it may. */
export type AddressCheck = (address: string) => string | undefined;

/**
 * Prevents clients that add devices from directing packets and credentials to the collector itself or its neighbours.
 * Takes canonical addresses. http-api does not start with a network that cannot be read.
 */
export function createAddressCheck({ networks, host_names: takesNames }: ManagedDeviceRules): AddressCheck {
  const allowed = networks?.flatMap((text) => parseNetwork(text) ?? []);
  return (address) => {
    if (!ipaddr.isValid(address)) {
      return takesNames ? undefined : 'it is a host name, which can resolve to any address; use an address';
    }
    if (allowed !== undefined) {
      const place = parseAddress(address.replace(/%.*/, ''));
      const isInside = place !== undefined && allowed.some((network) => containsRange(network, place));
      return isInside ? undefined : 'it is not in `managed_devices.networks` of http-api';
    }
    const range = refusedRanges.get(ipaddr.process(address).range());
    return range === undefined
      ? undefined
      : `it is ${range}; \`managed_devices.networks\` of http-api can allow it`;
  };
}

/** Ranges in which there are no devices, but possibly other listeners. */
const refusedRanges: ReadonlyMap<string, string> = new Map([
  ['loopback', 'the collector itself'],
  ['unspecified', 'not the address of a device'],
  ['linkLocal', 'a link-local address'],
  ['multicast', 'a multicast address'],
  ['broadcast', 'a broadcast address'],
]);

/** Returns a problem for each secret that a device of the API must not refer to. */
export type SecretCheck = (settings: ManagedSettings) => readonly DeviceProblem[];

/**
 * A client that adds a device decides where its secrets are sent. So the operator lists the secrets that devices of the API
 * may refer to, such as `env:SNMP_*` or `file:core`. A star at the end stands for any text.
 */
export function createSecretCheck({ secrets }: ManagedDeviceRules): SecretCheck {
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
        message: `Devices of the API may not refer to ${reference}; \`managed_devices.secrets\` of http-api can allow it.`,
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
