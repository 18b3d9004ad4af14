import { copyFileSync, mkdirSync, mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { env, stderr } from 'node:process';
import { type Definitions, definitionsToken } from '../../../plugins/definitions-loader/service.ts';
import type { Device, DeviceRegistry } from '../../../plugins/device-registry/service.ts';
import { loadInProcessApi } from '../../../plugins/http-api/commands.ts';
import { loadSnmpApi } from '../../../plugins/snmp-api/commands.ts';
import { type Discovery, discoveryToken } from '../../../plugins/snmp-discovery/service.ts';
import { pollerToken } from '../../../plugins/snmp-poller/service.ts';
import type { ApiClient } from '../../../src/client/index.ts';
import { assembleCollector, type CollectorSetup, loadSetup } from '../../../src/collector/index.ts';
import { createLogger } from '../../../src/kernel/index.ts';
import { suggestName } from '../../../src/nearest-name.ts';
import { cliFailure } from '../../cli-errors.ts';
import { openLogStream } from '../../run/log-format.ts';
import { onSignals } from '../../run/signals.ts';
import { parseTargetAddress } from '../../snmp/options/target-address.ts';
import { type DevicePlace, listPlaces } from '../device-text.ts';
import { findProviders, type Narrowing, narrowPlugins } from './narrow-plugins.ts';

/** One device of a configuration in a collector of its own, with a client of that collector's API. */
export interface LocalDevice {
  readonly client: ApiClient;
  readonly place: DevicePlace;
  readonly device: Device;
  readonly definitions: Definitions;
  readonly discovery: Discovery;
}

export interface DeviceChoice {
  readonly config: string;
  /** A name, an address, or an address and a port. */
  readonly wanted: string;
  readonly objects?: readonly string[];
}

/**
 * Starts only what it takes to poll one device: no output, no HTTP server, no other device. It starts from a copy of the
 * state directory, so a collector that runs with the same configuration is not affected.
 */
export async function withLocalDevice<T>(
  choice: DeviceChoice,
  use: (local: LocalDevice) => Promise<T>,
): Promise<T> {
  const setup = await loadSetup(choice.config, { env });
  const state = new StateCopy(setup.keys.state_directory);
  try {
    return await runWith(setup, state.path, choice, use);
  } finally {
    state.remove();
  }
}

async function runWith<T>(
  { keys, plugins }: CollectorSetup,
  stateDirectory: string,
  { config, wanted, objects }: DeviceChoice,
  use: (local: LocalDevice) => Promise<T>,
): Promise<T> {
  const needed = findProviders(plugins, pollerToken);
  if (needed.length === 0) throw cliFailure('DEVICE_POLLER_MISSING', { config });
  let picked: Device | undefined;
  let suggestion = '';
  const pick: Narrowing['pick'] = (registry) => {
    picked = findWanted(registry, wanted);
    if (picked === undefined) suggestion = suggestDevice(registry, wanted);
    return picked;
  };
  const narrowed = narrowPlugins(needed, { pick, objects: objects && new Set(objects) });
  const destination = openLogStream({
    format: 'text',
    isTerminal: stderr.isTTY,
    env,
    write: (text) => stderr.write(text),
  });
  const log = createLogger({ level: 'error', instance: keys.instance, destination });
  const [{ inProcessApi, inProcessApiToken }, snmpApi] = await Promise.all([
    loadInProcessApi(),
    loadSnmpApi(),
  ]);
  const added = [snmpApi, inProcessApi].map((plugin) => ({
    name: plugin.name,
    plugin,
    options: {},
    isBuiltIn: true,
  }));
  const collector = assembleCollector(
    {
      keys: { ...keys, state_directory: stateDirectory },
      plugins: [...narrowed, ...added],
    },
    log,
  );
  let interrupt: (error: Error) => void = () => {};
  const interrupted = new Promise<never>((_, reject) => {
    interrupt = reject;
  });
  const release = onSignals(
    (signal) => interrupt(cliFailure('COMMAND_INTERRUPTED', { signal })),
    process.exit,
  );
  try {
    await Promise.race([collector.start(), interrupted]);
    if (picked === undefined) {
      throw cliFailure('DEVICE_NAME_UNKNOWN', { device: wanted, config, suggestion });
    }
    const local = {
      client: collector.getService(inProcessApiToken),
      place: { ip: picked.ref.ip, port: String(picked.ref.port) },
      device: picked,
      definitions: collector.getService(definitionsToken),
      discovery: collector.getService(discoveryToken),
    };
    return await Promise.race([use(local), interrupted]);
  } finally {
    release();
    await collector.stop('the command ended');
  }
}

function findWanted(registry: DeviceRegistry, wanted: string): Device | undefined {
  const named = registry.findDeviceNamed(wanted);
  if (named !== undefined || !/^[\w.:[\]-]+$/.test(wanted)) return named;
  const here = listAt(registry, wanted);
  if (here.length === 1) return here[0];
  try {
    const { host, port } = parseTargetAddress(wanted);
    return registry.findDevice(host, port);
  } catch {
    return undefined;
  }
}

function listAt(registry: DeviceRegistry, address: string): Device[] {
  return [...registry.devices()].filter(({ ref }) => ref.ip === address);
}

function suggestDevice(registry: DeviceRegistry, wanted: string): string {
  const here = listAt(registry, wanted);
  if (here.length > 0)
    return ` Devices at this address: ${listPlaces(here.map(({ ref }) => ref))}. Name one, or add its port.`;
  const names = [...registry.devices()].map(({ ref }) => ref.name);
  return suggestName(wanted, names);
}

/** Inventories, devices that the API added or a scan found, and learned device limits. */
const copied = [
  'snmp-discovery/inventories.journal',
  'device-registry/devices.journal',
  'device-registry/found.journal',
  'snmp-client/learned.journal',
];

/** A temporary state directory with a copy of a collector's state, so that the command and the collector share no file. */
class StateCopy {
  readonly path = mkdtempSync(join(tmpdir(), 'waywiser-'));

  constructor(stateDirectory: string) {
    try {
      for (const name of copied) copyIfThere(join(stateDirectory, name), join(this.path, name));
    } catch (error) {
      this.remove();
      throw error;
    }
  }

  remove(): void {
    rmSync(this.path, { recursive: true, force: true });
  }
}

function copyIfThere(from: string, to: string): void {
  mkdirSync(dirname(to), { recursive: true });
  try {
    copyFileSync(from, to);
  } catch (error) {
    const isMissing = error instanceof Error && 'code' in error && error.code === 'ENOENT';
    if (!isMissing) throw cliFailure('DEVICE_STATE_UNREADABLE', { file: from }, error);
  }
}
