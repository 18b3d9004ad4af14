import type { RawEntry } from '../../src/definitions/index.ts';
import { type DeviceIdentity, defineErrors, deviceKey, suggestName, WaywiserError } from '../../src/index.ts';
import { canonicalAddress, containsRange, parseAddress, parseNetwork } from '../../src/model/index.ts';
import { type Shards, shardOf } from '../../src/sharding/index.ts';
import type { Definitions, Generation } from '../definitions-loader/service.ts';
import type { Device, DeviceRegistry, ManagedSettings } from '../device-registry/service.ts';
import { exporterErrors } from './errors.ts';
import { parseTarget } from './target-address.ts';

const failure = defineErrors(exporterErrors);

type Network = RawEntry<'networks'>;

/** What a scrape asks for, in the words of snmp_exporter. */
export interface ScrapeRequest {
  readonly target: string;
  readonly modules: readonly string[];
  readonly auth: string;
  /** Whether the caller may add and change targets. */
  readonly mayOperate: boolean;
}

/** The part of the settings of a device that says how often it is polled. */
export type PollIntervals = Pick<ManagedSettings, 'poll_interval' | 'poll_intervals'>;

export interface FoundTarget {
  readonly device: Device;
  /** How often it is asked: for the devices of scrapes, as the network says. */
  readonly intervals: PollIntervals;
}

export interface ScrapeTargetsSettings {
  readonly definitions: Definitions;
  readonly registry: DeviceRegistry;
  readonly shards: Pick<Shards, 'owns'>;
  readonly maxTargets: number;
  readonly idleMs: number;
  readonly now: () => number;
}

/** Scrapes are the schedule of such a device; the collector itself asks for a poll once a week. */
const betweenPollsS = 604_800;

/**
 * The devices behind the targets of scrapes. A target that is no device becomes one, if a network of autodiscover/networks.yml contains it:
 * these networks are the only addresses that a scrape may reach. It stays one until no scrape has named it for a while. The registry keeps
 * these devices, also over restarts and for other owners; they are known by their schedule.
 */
export class ScrapeTargets {
  readonly #settings: ScrapeTargetsSettings;
  /** By device: when it was scraped last, as far as this process knows. */
  readonly #scrapedMs = new Map<string, number>();

  constructor(settings: ScrapeTargetsSettings) {
    this.#settings = settings;
  }

  /** The address of a target; undefined when it is neither a device nor an address. */
  addressOf(target: string): { readonly ip: string; readonly port: number } | undefined {
    const address = this.#settings.registry.findDeviceNamed(target)?.ref ?? parseTarget(target);
    if (address === undefined) return undefined;
    return { ip: canonicalAddress(address.ip) ?? address.ip, port: address.port ?? 161 };
  }

  /** Throws for a target, module or auth that scrapes may not name, and for a change that the caller may not make. */
  find(request: ScrapeRequest): FoundTarget {
    const { registry, definitions, shards, now } = this.#settings;
    const generation = definitions.current;
    for (const module of request.modules) requireModule(module, generation);
    const address = this.addressOf(request.target);
    if (address === undefined) throw failure('PROBE_TARGET_INVALID', { target: request.target });
    if (!shards.owns(shardOf(address))) throw failure('PROBE_NOT_OWNED', { target: request.target });
    const device = registry.findDevice(address.ip, address.port);
    if (device !== undefined && !isTarget(device)) return { device, intervals: device.settings };
    if (device === undefined && !request.mayOperate) throw needsOperate(request, 'adds');
    // Also for a target that is a device already: its network may have been removed.
    const network = networkOf(request, address, generation);
    const settings = settingsOf(network, address, generation, [
      ...(device?.settings.device_groups ?? []),
      ...request.modules,
    ]);
    const { poll_interval } = network;
    const intervals: PollIntervals = poll_interval === undefined ? {} : { poll_interval };
    const isSame = device !== undefined && hasSettings(device, settings);
    if (!request.mayOperate) {
      if (!isSame) throw needsOperate(request, 'changes the modules or the credentials of');
      this.#scrapedMs.set(deviceKey(address), now());
      return { device, intervals };
    }
    if (device === undefined) this.#requireRoom(request);
    this.#scrapedMs.set(deviceKey(address), now());
    return { device: isSame ? device : this.#put(request, settings), intervals };
  }

  /** Removes the devices that no scrape has named for a while. */
  forgetIdle(): void {
    const { registry, shards, idleMs, now } = this.#settings;
    for (const device of [...registry.devices()].filter(isTarget)) {
      const key = deviceKey(device.ref);
      const scrapedMs = this.#scrapedMs.get(key) ?? now();
      if (!shards.owns(shardOf(device.ref))) this.#scrapedMs.delete(key);
      else if (scrapedMs + idleMs > now()) this.#scrapedMs.set(key, scrapedMs);
      else {
        this.#scrapedMs.delete(key);
        registry.removeManaged(device.ref.ip, device.ref.port);
      }
    }
  }

  #put({ target, auth }: ScrapeRequest, settings: ManagedSettings): Device {
    try {
      return this.#settings.registry.putManaged(target.replace(/^udp:\/\//, ''), settings);
    } catch (error) {
      if (!(error instanceof WaywiserError) || error.code !== 'DEVICE_SECRET_PLAIN') throw error;
      throw failure('PROBE_AUTH_PLAIN', { auth });
    }
  }

  #requireRoom({ target }: ScrapeRequest): void {
    const { registry, maxTargets } = this.#settings;
    let targets = 0;
    for (const device of registry.devices()) if (isTarget(device)) targets++;
    if (targets >= maxTargets) throw failure('PROBE_TOO_MANY_TARGETS', { target, max: maxTargets });
  }
}

/** Whether a scrape has made the device: nobody else gives each type of object the same long interval. */
function isTarget({ source, settings }: Device): boolean {
  const { poll_interval: everyS, poll_intervals: byType } = settings;
  return (
    source === 'api' &&
    [everyS, ...Object.values(byType ?? {})].every((s) => s === betweenPollsS) &&
    byType !== undefined
  );
}

/** Whether nothing has changed: the modules, the auth, or its credentials. */
function hasSettings({ settings: known }: Device, settings: ManagedSettings): boolean {
  return Object.entries(settings).every(([key, value]) => {
    return JSON.stringify(known[key as keyof ManagedSettings]) === JSON.stringify(value);
  });
}

function requireModule(module: string, generation: Generation): void {
  if (generation.findDeviceGroup(module) !== undefined) return;
  const suggestion = suggestName(module, generation.sections.deviceGroups.keys());
  throw failure('PROBE_MODULE_UNKNOWN', { module, suggestion });
}

function needsOperate({ target }: ScrapeRequest, change: string): Error {
  return failure('PROBE_ROLE_TOO_LOW', { target, change });
}

/** The network that the auth names. Throws unless it contains the address and names the port. */
function networkOf(
  { target, auth }: ScrapeRequest,
  { ip, port }: DeviceIdentity,
  generation: Generation,
): Network {
  const network = generation.findNetwork(auth)?.definition;
  if (network === undefined) {
    const suggestion = suggestName(auth, generation.sections.networks.keys());
    throw failure('PROBE_AUTH_UNKNOWN', { auth, suggestion });
  }
  if (!contains(network, ip)) throw failure('PROBE_TARGET_REFUSED', { target, auth });
  const { port: allowed = 161 } = network;
  if (port !== allowed) throw failure('PROBE_PORT_REFUSED', { target, auth, port: allowed });
  return network;
}

/** The settings of a device for scrapes, with the credentials of the network. */
function settingsOf(
  network: Network,
  { ip, port }: DeviceIdentity,
  generation: Generation,
  groups: readonly string[],
): ManagedSettings {
  const { timeout, retries, exponential_timeout } = network;
  // YAML reads 1 and 3 as numbers.
  const version = String(network.credentials[0]?.version ?? '2c') as '1' | '2c' | '3';
  const usable = network.credentials.filter((each) => String(each.version) === version);
  const communities = usable.flatMap(({ community }) => community ?? []);
  const users = usable.flatMap(({ v3_credential }) => v3_credential ?? []);
  return {
    ip,
    port,
    version,
    ...(version === '3' ? { v3_credentials: users } : { communities }),
    device_groups: [...new Set(groups)],
    poll_interval: betweenPollsS,
    poll_intervals: Object.fromEntries(
      Array.from(generation.sections.everyMsByType.keys(), (type) => [type, betweenPollsS]),
    ),
    ...(timeout === undefined ? {} : { timeout }),
    ...(retries === undefined ? {} : { retries }),
    ...(exponential_timeout === undefined ? {} : { exponential_timeout }),
  };
}

function contains({ networks }: Network, ip: string): boolean {
  const address = parseAddress(ip);
  if (address === undefined) return false;
  return networks.some((text) => {
    const network = parseNetwork(text);
    return network !== undefined && containsRange(network, address);
  });
}
