import { isIP } from 'node:net';
import { defineErrors, explainError, type Logger, type WaywiserError } from '../../../src/index.ts';
import type { SendPace } from '../../../src/internal.ts';
import type { Target, UserSettings } from '../../../src/snmp/index.ts';
import type { DeviceRegistry } from '../../device-registry/service.ts';
import type { SnmpClient } from '../../snmp-client/service.ts';
import type { Discovery } from '../../snmp-discovery/service.ts';
import { networkErrors } from '../errors.ts';
import type { Candidate } from '../plan/segments.ts';
import { probeAddress, type Way } from './probe-address.ts';
import type { ScanTools } from './scan.ts';
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
  /** Scans in a row without an answer after which a found device is removed; 0: never. */
  readonly removeAfterScans: number;
}

export interface NetworkWays {
  readonly ways: ReadonlyMap<string, readonly Way[]>;
  readonly problems: readonly WaywiserError[];
}

/** How each network is asked, its secrets as they are now. One whose secrets cannot be had is a problem, and has no way. */
export async function openWays(
  networks: readonly string[],
  { registry, client }: Pick<ScanParts, 'registry' | 'client'>,
): Promise<NetworkWays> {
  const ways = new Map<string, readonly Way[]>();
  const problems: WaywiserError[] = [];
  for (const network of networks) {
    try {
      const targets = registry.getNetworkTargets(network);
      ways.set(
        network,
        targets.map((target, credential) => ({ network, credential, target })),
      );
    } catch (error) {
      problems.push(failure('SCAN_CREDENTIALS_UNUSABLE', { network, reason: explainError(error) }));
    }
  }
  await client.prepareUsers([...ways.values()].flat().flatMap(({ target }) => userOf(target)));
  return { ways, problems };
}

/** What a scan does with each address, between the engine and the registry. */
export function createScanTools(ways: NetworkWays['ways'], parts: ScanParts): ScanTools {
  const { registry, client, memory, pace, log, retries, maxInFlight, removeAfterScans } = parts;
  const named = listNamedDevices(parts);
  return {
    maxInFlight,
    isKnown({ ip, port }) {
      const device = registry.findDevice(ip, port);
      return (device !== undefined && device.source !== 'networks') || named.has(`${ip} ${port}`);
    },
    probe(candidate, signal) {
      const open = (target: Target) => client.open(target);
      return probeAddress(candidate, waysTo(candidate, ways, registry), { pace, retries, signal, open });
    },
    welcome({ ip, port }, { way: { network, credential }, identity }) {
      memory.forget({ ip, port });
      const isNew = registry.findDevice(ip, port) === undefined;
      const device = registry.putFound({ name: identity.name ?? '', ip, port, network, credential });
      if (isNew && device !== undefined) log.debug({ device: device.ref, network }, 'A device was found.');
      return isNew && device !== undefined;
    },
    isFound: ({ ip, port }) => registry.findDevice(ip, port)?.source === 'networks',
    miss({ ip, port }) {
      const device = registry.findDevice(ip, port);
      if (device?.source !== 'networks') return false;
      const silences = memory.noteSilence(device.ref);
      if (removeAfterScans === 0 || silences < removeAfterScans) {
        log.info({ device: device.ref, silences }, 'A found device did not answer the scan; it is kept.');
        return false;
      }
      memory.forget(device.ref);
      registry.removeFound(
        ip,
        port,
        `it did not answer the last ${silences === 1 ? 'scan' : `${silences} scans`}`,
      );
      log.info({ device: device.ref, silences }, 'A found device did not answer; it is removed.');
      return true;
    },
    excuse: (silent) =>
      log.warn({ silent }, 'Nobody answered the scan: the found devices are not counted as silent.'),
  };
}

/** The ways of all networks that hold the address, that by which it answered last time first. */
function waysTo(
  { ip, port, networks }: Candidate,
  ways: NetworkWays['ways'],
  registry: DeviceRegistry,
): readonly Way[] {
  const all = networks.length === 1 ? ways.get(networks[0]!) : networks.flatMap((id) => ways.get(id) ?? []);
  const last = registry.findFound(ip, port);
  if (all === undefined || last === undefined) return all ?? [];
  const isLast = (way: Way) => way.network === last.network && way.credential === last.credential;
  return [...all.filter(isLast), ...all.filter((way) => !isLast(way))];
}

/** Where devices that have a host name answered last: they are known under another address. */
function listNamedDevices({ registry, discovery }: ScanParts): ReadonlySet<string> {
  const named = new Set<string>();
  for (const device of registry.devices()) {
    if (isIP(device.ref.ip) !== 0) continue;
    const address = discovery.findInventory(device)?.address;
    if (address !== undefined) named.add(`${address} ${device.ref.port}`);
  }
  return named;
}

function userOf(target: Target): UserSettings[] {
  return target.version === '3' ? [target.user] : [];
}
