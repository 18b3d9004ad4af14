import { env } from 'node:process';
import { readDefinitions } from '../../../plugins/definitions-loader/offline.ts';
import { buildTargets } from '../../../plugins/device-registry/targets.ts';
import type { Target } from '../../snmp/index.ts';
import { chooseSet } from '../definitions/choose-set.ts';
import { resolveTarget } from './options/target-address.ts';

interface Found {
  /** Undefined when no definition file has a device of this name. */
  readonly device: { openTargets(): Promise<readonly Target[]> } | undefined;
  /** Of all devices, for suggestions. */
  readonly names: readonly string[];
}

/** A device of the definition files of a configuration. Of these, only the files about devices are read. */
export async function findConfiguredDevice(config: string, name: string): Promise<Found> {
  const { sources, secrets } = await chooseSet({ config });
  const { devices } = readDefinitions({ ...sources, only: ['devices', 'defaults'] }, secrets);
  const settings = devices.get(name)?.settings;
  const names = [...devices.keys()];
  if (settings === undefined) return { device: undefined, names };
  const openTargets = async () => {
    const { address } = await resolveTarget({ host: settings.ip, port: settings.port ?? 161, family: 0 });
    return buildTargets(settings, address, { env, directory: secrets });
  };
  return { device: { openTargets }, names };
}
