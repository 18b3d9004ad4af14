import { isIP } from 'node:net';
import { defineErrors, explainError, type Logger, type WaywiserError } from '../../src/index.ts';
import type { Target } from '../../src/snmp/index.ts';
import type { SendPace } from '../../src/timing/index.ts';
import type { DeviceRegistry } from '../device-registry/service.ts';
import type { SnmpClient } from '../snmp-client/service.ts';
import type { Discovery } from '../snmp-discovery/service.ts';
import type { Candidate } from './address-segments.ts';
import { networkErrors } from './errors.ts';
import { type NetworkCredential, probeAddress } from './probe-address.ts';
import type { ScanSteps } from './scan.ts';
import type { ScanMemory } from './scan-memory.ts';

const failure = defineErrors(networkErrors);

export interface ScanParts {
  readonly registry: DeviceRegistry;
  readonly discovery: Pick<Discovery, 'findInventory'>;
  readonly client: Pick<SnmpClient, 'open' | 'prepareUsers'>;
  readonly memory: ScanMemory;
  readonly pace: SendPace;
  readonly log: Logger;
  readonly retries: number;
  readonly maxInFlight: number;
  /** After this many scans in a row without an answer a found device is removed; 0 means never. */
  readonly removeAfterScans: number;
}

type CredentialsByNetwork = ReadonlyMap<string, readonly NetworkCredential[]>;

/** Resolves the secrets of each network now. A network with a secret that cannot be resolved is left out, as a problem. */
export async function resolveCredentials(
  networks: readonly string[],
  { registry, client }: Pick<ScanParts, 'registry' | 'client'>,
): Promise<{ readonly credentials: CredentialsByNetwork; readonly problems: readonly WaywiserError[] }> {
  const credentials = new Map<string, readonly NetworkCredential[]>();
  const problems: WaywiserError[] = [];
  for (const network of networks) {
    try {
      const targets = registry.getNetworkTargets(network);
      credentials.set(
        network,
        targets.map((target, position) => ({ network, position, target })),
      );
    } catch (error) {
      problems.push(failure('SCAN_CREDENTIALS_UNUSABLE', { network, reason: explainError(error) }));
    }
  }
  const all = [...credentials.values()].flat();
  await client.prepareUsers(all.flatMap(({ target }) => (target.version === '3' ? [target.user] : [])));
  return { credentials, problems };
}

/** What a scan does with each address, by means of the SNMP client and the device registry. */
export function createScanSteps(credentials: CredentialsByNetwork, parts: ScanParts): ScanSteps {
  const { registry, client, memory, pace, log, retries, maxInFlight, removeAfterScans } = parts;
  const named = listNamedDevices(parts);
  return {
    maxInFlight,
    isKnown({ ip, port }) {
      const device = registry.findDevice(ip, port);
      return (device !== undefined && device.source !== 'networks') || named.has(`${ip} ${port}`);
    },
    probe(candidate, signal, isWanted) {
      const open = (target: Target) => client.open(target);
      const inOrder = credentialsFor(candidate, credentials, registry);
      return probeAddress(candidate, inOrder, { pace, retries, signal, isWanted, open });
    },
    addDevice({ ip, port }, { credential: { network, position }, identity }) {
      memory.forget({ ip, port });
      const isNew = registry.findDevice(ip, port) === undefined;
      const found = { name: identity.name ?? '', ip, port, network, credential: position };
      const device = registry.putFound(found);
      if (isNew && device !== undefined) log.debug({ device: device.ref, network }, 'Device found.');
      return isNew && device !== undefined;
    },
    isFound: ({ ip, port }) => registry.findDevice(ip, port)?.source === 'networks',
    countSilence({ ip, port }) {
      const device = registry.findDevice(ip, port);
      if (device?.source !== 'networks') return false;
      const silences = memory.recordSilence(device.ref);
      if (removeAfterScans === 0 || silences < removeAfterScans) {
        log.info({ device: device.ref, silences }, 'Found device did not answer the scan. It is kept.');
        return false;
      }
      memory.forget(device.ref);
      const scans = silences === 1 ? 'scan' : `${silences} scans`;
      registry.removeFound(ip, port, `it did not answer the last ${scans}`);
      log.info({ device: device.ref, silences }, 'Found device did not answer the scan. It is removed.');
      return true;
    },
    reportNoAnswer: (silent) =>
      log.warn({ silent }, 'No address answered the scan. Found devices are not counted as silent.'),
  };
}

/** The credentials of all networks that contain the address, with the one that it answered last time first. */
function credentialsFor(
  { ip, port, networks }: Candidate,
  credentials: CredentialsByNetwork,
  registry: DeviceRegistry,
): readonly NetworkCredential[] {
  const all =
    networks.length === 1
      ? credentials.get(networks[0]!)
      : networks.flatMap((id) => credentials.get(id) ?? []);
  const last = registry.findFound(ip, port);
  if (all === undefined || last === undefined) return all ?? [];
  const isLast = (each: NetworkCredential) =>
    each.network === last.network && each.position === last.credential;
  return [...all.filter(isLast), ...all.filter((each) => !isLast(each))];
}

/** The addresses at which devices with a host name answered last: the registry has them by name, not by address. */
function listNamedDevices({ registry, discovery }: ScanParts): ReadonlySet<string> {
  const named = new Set<string>();
  for (const device of registry.devices()) {
    if (isIP(device.ref.ip) !== 0) continue;
    const address = discovery.findInventory(device)?.address;
    if (address !== undefined) named.add(`${address} ${device.ref.port}`);
  }
  return named;
}
