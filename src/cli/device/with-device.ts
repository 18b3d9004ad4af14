import { env, stderr } from 'node:process';
import { type Definitions, definitionsToken } from '../../../plugins/definitions-loader/service.ts';
import type { Device, DeviceRegistry } from '../../../plugins/device-registry/service.ts';
import { type Discovery, discoveryToken } from '../../../plugins/snmp-discovery/service.ts';
import { type Poller, pollerToken } from '../../../plugins/snmp-poller/service.ts';
import { assembleCollector, type CollectorSetup, loadSetup } from '../../collector/collector-setup.ts';
import { createLogger } from '../../kernel/logger.ts';
import { suggestName } from '../../nearest-name.ts';
import { openLogStream } from '../run/log-format.ts';
import { onSignals } from '../run/signals.ts';
import { parseTargetAddress } from '../snmp/options/target-address.ts';
import { deviceCommandFailure } from './failure.ts';
import { findProviders, type Narrowing, narrowPlugins } from './narrow-plugins.ts';
import { StateCopy } from './state-copy.ts';

/** One device of a configuration, and what can be done with it. */
export interface OpenDevice {
  readonly device: Device;
  readonly definitions: Definitions;
  readonly discovery: Discovery;
  readonly poller: Poller;
}

export interface DeviceChoice {
  readonly config: string;
  /** A name, an address, or an address and a port. */
  readonly wanted: string;
  readonly objects?: readonly string[];
}

/**
 * Starts what polling one device takes and nothing else: no output, no HTTP, no other device. A collector that runs by the
 * same configuration notices nothing; what it knows of the device is known here.
 */
export async function withDevice<T>(choice: DeviceChoice, use: (open: OpenDevice) => Promise<T>): Promise<T> {
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
  use: (open: OpenDevice) => Promise<T>,
): Promise<T> {
  const needed = findProviders(plugins, pollerToken);
  if (needed.length === 0) throw deviceCommandFailure('DEVICE_POLLER_MISSING', { config });
  let picked: Device | undefined;
  let suggestion = '';
  const pick: Narrowing['pick'] = (registry) => {
    picked = findWanted(registry, wanted);
    if (picked === undefined) suggestion = suggestDevice(registry, wanted);
    return picked;
  };
  const narrowed = {
    keys: { ...keys, state_directory: stateDirectory },
    plugins: narrowPlugins(needed, { pick, objects: objects && new Set(objects) }),
  };
  const destination = openLogStream(true, (text) => stderr.write(text));
  const log = createLogger({ level: 'error', instance: keys.instance, destination });
  const collector = assembleCollector(narrowed, log);
  let interrupt: (error: Error) => void = () => {};
  const interrupted = new Promise<never>((_, reject) => {
    interrupt = reject;
  });
  const release = onSignals(
    (signal) => interrupt(deviceCommandFailure('COMMAND_INTERRUPTED', { signal })),
    process.exit,
  );
  try {
    await Promise.race([collector.start(), interrupted]);
    if (picked === undefined) {
      throw deviceCommandFailure('DEVICE_NAME_UNKNOWN', { device: wanted, config, suggestion });
    }
    const open = {
      device: picked,
      definitions: collector.getService(definitionsToken),
      discovery: collector.getService(discoveryToken),
      poller: collector.getService(pollerToken),
    };
    return await Promise.race([use(open), interrupted]);
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
  const here = listAt(registry, wanted).map(({ ref }) => `${ref.name} (port ${ref.port})`);
  if (here.length === 0)
    return suggestName(
      wanted,
      [...registry.devices()].map(({ ref }) => ref.name),
    );
  const more = here.length > maxNamed ? ', …' : '';
  return ` At that address are ${here.slice(0, maxNamed).join(', ')}${more}: name one, or add its port.`;
}

const maxNamed = 5;
