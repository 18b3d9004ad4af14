import { existsSync } from 'node:fs';
import { basename, dirname, join } from 'node:path';
import {
  type DefinitionSources,
  findFiles,
  listRoots,
  readDefinitions,
} from '../../plugins/definitions-loader/commands.ts';
import type { CompiledDefinitions, RawDevice } from '../../src/definitions/index.ts';
import { fillSettings, findDeviceDefaults, readingLimits } from '../../src/definitions/index.ts';
import { shippedDefinitions } from '../../src/own-package.ts';
import { chooseSet } from '../choose-set.ts';
import { cliFailure } from '../cli-errors.ts';
import type { SharedSettings } from './configuration-text.ts';
import { shortPath } from './written-files.ts';

/** A configuration that `init --add` extends. */
export interface ExistingConfiguration {
  /** The path of waywiser.yml. */
  readonly config: string;
  /** Its devices by name, with all defaults. */
  readonly devices: ReadonlyMap<string, RawDevice>;
  /** Where new devices are written. The file need not exist. */
  readonly devicesFile: string;
  readonly groups: Pick<CompiledDefinitions, 'deviceGroups' | 'deviceGroupsBySysObjectId'>;
  readonly shared: SharedSettings;
  /** The settings of a device that leaves out everything. */
  readonly defaults: RawDevice;
  readonly secretsDirectory: string | undefined;
}

/** Reads waywiser.yml in `directory` and its definitions. */
export async function readExisting(directory: string): Promise<ExistingConfiguration> {
  const config = join(directory, 'waywiser.yml');
  const label = shortPath(config);
  if (!existsSync(config)) throw cliFailure('INIT_NOTHING_THERE', { file: label });
  const { sources, secrets } = await chooseSet({ config });
  const { compiled, problems, raw } = readDefinitions(sources, secrets);
  // A secret can be known to the collector alone, such as a variable of its service.
  const errors = problems.filter(({ level, rule }) => level === 'error' && rule !== 'unresolved-secret');
  const [first] = errors;
  if (first !== undefined) {
    const place = `${first.file}:${first.line}: ${first.message}`;
    throw cliFailure('INIT_DEFINITIONS_BROKEN', { config: label, count: errors.length, first: place });
  }
  const given = findDeviceDefaults(raw);
  const defaults = fillSettings(given, { ip: '' });
  const hasGroups = given?.device_groups !== undefined || !compiled.deviceGroups.has('auto');
  return {
    config,
    devices: compiled.devices,
    devicesFile: findDevicesFile(sources, label),
    groups: compiled,
    shared: {
      port: defaults.port ?? 161,
      version: defaults.version === undefined ? undefined : String(defaults.version),
      context: defaults.context,
      fallbackGroup: hasGroups ? undefined : 'auto',
    },
    defaults,
    secretsDirectory: secrets,
  };
}

/** The one that is called as `init` calls it, or the only one that there is. */
function findDevicesFile(sources: DefinitionSources, config: string): string {
  const roots = listRoots({ ...sources, shipped: undefined, only: ['devices'] }).filter(
    ({ directory }) => dirname(directory) !== shippedDefinitions(),
  );
  const last = roots.at(-1);
  if (last === undefined) throw cliFailure('INIT_NO_DEVICE_FILES', { config });
  const paths = roots
    .filter(({ directory }) => existsSync(directory))
    .flatMap(({ directory }) => findFiles(directory, readingLimits.maxFiles, () => {}))
    .map(({ path }) => path);
  const called = paths.findLast((path) => /^devices\.ya?ml$/.test(basename(path)));
  return called ?? (paths.length === 1 ? paths[0]! : join(last.directory, 'devices.yml'));
}
