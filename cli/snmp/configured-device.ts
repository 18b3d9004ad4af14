import { env } from 'node:process';
import { generationOf, readDefinitions } from '../../plugins/definitions-loader/commands.ts';
import { buildTargets, readStoredDevices } from '../../plugins/device-registry/commands.ts';
import type { RawDevice } from '../../src/definitions/index.ts';
import type { Target } from '../../src/snmp/index.ts';
import { type ChosenSources, chooseSet } from '../choose-set.ts';
import { resolveTarget } from './options/target-address.ts';

interface Found {
  /** Undefined when no device has this name. */
  readonly device: { openTargets(): Promise<readonly Target[]> } | undefined;
  /** Of all devices, for suggestions. */
  readonly names: readonly string[];
  /** Why the devices of the state directory are not known. */
  readonly unreadable?: unknown;
}

/**
 * A device of a configuration: of its definition files, or of the state directory, where those are that the API added or a scan found. Only
 * the definition files about devices are read.
 */
export async function findConfiguredDevice(config: string, name: string): Promise<Found> {
  const chosen = await chooseSet({ config });
  const { sources, secrets } = chosen;
  const { devices } = readDefinitions({ ...sources, only: ['devices', 'defaults'] }, secrets);
  const names = [...devices.keys()];
  const inFiles = devices.get(name)?.settings;
  if (inFiles !== undefined) return { device: openable(inFiles, secrets), names };
  try {
    const stored = readStored(chosen);
    const settings = stored.find(({ ref }) => ref.name === name)?.settings;
    const device = settings && openable(settings, secrets);
    return { device, names: [...names, ...stored.map(({ ref }) => ref.name)] };
  } catch (unreadable) {
    return { device: undefined, names, unreadable };
  }
}

function readStored({ sources, secrets, stateDirectory }: ChosenSources) {
  if (stateDirectory === undefined) return [];
  const set = readDefinitions({ ...sources, only: ['devices', 'defaults', 'autodiscover'] }, secrets);
  return readStoredDevices(stateDirectory, generationOf(set));
}

function openable(settings: RawDevice, secrets: string | undefined): NonNullable<Found['device']> {
  return {
    async openTargets() {
      const { address } = await resolveTarget({ host: settings.ip, port: settings.port ?? 161, family: 0 });
      return buildTargets(settings, address, { env, directory: secrets });
    },
  };
}
