import { defineErrors, deviceKey, suggestName, WaywiserError } from '../../src/index.ts';
import {
  canonicalAddress,
  containsRange,
  type Journal,
  parseAddress,
  parseNetwork,
  type RawEntry,
} from '../../src/internal.ts';
import type { Definitions, Generation } from '../definitions-loader/service.ts';
import type { Device, DeviceRegistry, ManagedSettings } from '../device-registry/service.ts';
import { exporterErrors } from './errors.ts';
import { parseTarget } from './target-address.ts';

const failure = defineErrors(exporterErrors);

/** What a scrape asks for, in the words of snmp_exporter. */
export interface ScrapeRequest {
  readonly target: string;
  readonly modules: readonly string[];
  readonly auth: string;
}

export interface ScrapeTargetsSettings {
  readonly definitions: Definitions;
  readonly registry: DeviceRegistry;
  readonly journal: Journal;
  readonly stored: ReadonlyMap<string, unknown>;
  readonly maxTargets: number;
  readonly idleMs: number;
  readonly now: () => number;
}

/** Scrapes are the schedule of such a device; the collector itself asks for a poll once a week. */
const betweenPollsS = 604_800;

/**
 * The devices behind the targets of scrapes. A target that is no device becomes one, if a network of autodiscover/networks.yml contains it:
 * these networks are the only addresses that a scrape may reach. It stays one until no scrape has named it for a while.
 */
export class ScrapeTargets {
  readonly #settings: ScrapeTargetsSettings;
  /** By device: when it was scraped last. */
  readonly #scrapedMs = new Map<string, number>();

  constructor(settings: ScrapeTargetsSettings) {
    this.#settings = settings;
    for (const key of settings.stored.keys()) this.#scrapedMs.set(key, settings.now());
  }

  /** Throws for a target, module or auth that scrapes may not name. */
  find(request: ScrapeRequest): Device {
    const { registry, definitions, now } = this.#settings;
    const generation = definitions.current;
    for (const module of request.modules) requireModule(module, generation);
    const named = registry.findDeviceNamed(request.target);
    const address = named?.ref ?? parseTarget(request.target);
    if (address === undefined) throw failure('PROBE_TARGET_INVALID', { target: request.target });
    const { ip, port = 161 } = address;
    const device = named ?? registry.findDevice(ip, port);
    const key = deviceKey({ ip: canonicalAddress(ip) ?? ip, port });
    const isOwn = this.#scrapedMs.has(key) && device?.source !== 'files';
    if (device !== undefined && !isOwn) return device;
    const groups = device?.settings.device_groups ?? [];
    // Also for a target that is a device already: its network may have been removed.
    const settings = settingsOf(request, { ip, port }, generation, groups);
    if (isOwn) this.#scrapedMs.set(key, now());
    else this.#remember(key, request.target);
    if (device !== undefined && hasSettings(device, settings)) return device;
    return this.#put(request, settings);
  }

  /** Removes the devices that no scrape has named for a while. */
  forgetIdle(): void {
    const { registry, journal, idleMs, now } = this.#settings;
    for (const device of registry.devices()) {
      const key = deviceKey(device.ref);
      const scrapedMs = this.#scrapedMs.get(key);
      if (scrapedMs === undefined || scrapedMs + idleMs > now()) continue;
      this.#scrapedMs.delete(key);
      journal.delete(key);
      registry.removeManaged(device.ref.ip, device.ref.port);
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

  #remember(key: string, target: string): void {
    const { journal, maxTargets, now } = this.#settings;
    if (this.#scrapedMs.size >= maxTargets) {
      throw failure('PROBE_TOO_MANY_TARGETS', { target, max: maxTargets });
    }
    this.#scrapedMs.set(key, now());
    journal.set(key, true);
  }
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

/** The settings of a target that is no device yet, with the credentials of its auth. */
function settingsOf(
  { target, auth, modules }: ScrapeRequest,
  { ip, port }: { readonly ip: string; readonly port: number },
  generation: Generation,
  groups: readonly string[],
): ManagedSettings {
  const network = generation.findNetwork(auth)?.definition;
  if (network === undefined) {
    const suggestion = suggestName(auth, generation.sections.networks.keys());
    throw failure('PROBE_AUTH_UNKNOWN', { auth, suggestion });
  }
  if (!contains(network, ip)) throw failure('PROBE_TARGET_REFUSED', { target, auth });
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
    device_groups: [...new Set([...groups, ...modules])],
    poll_interval: betweenPollsS,
    poll_intervals: Object.fromEntries(
      Array.from(generation.sections.everyMsByType.keys(), (type) => [type, betweenPollsS]),
    ),
    ...(timeout === undefined ? {} : { timeout }),
    ...(retries === undefined ? {} : { retries }),
    ...(exponential_timeout === undefined ? {} : { exponential_timeout }),
  };
}

function contains({ networks }: RawEntry<'networks'>, ip: string): boolean {
  const address = parseAddress(ip);
  if (address === undefined) return false;
  return networks.some((text) => {
    const network = parseNetwork(text);
    return network !== undefined && containsRange(network, address);
  });
}
