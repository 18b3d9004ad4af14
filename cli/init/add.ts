import { existsSync, readFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { parse } from 'yaml';
import { cliFailure, usageFailure } from '../cli-errors.ts';
import { findStartProblems } from '../definitions/dry-start.ts';
import { type Candidate, readCandidate } from '../snmp/options/candidates.ts';
import { exitCodes } from '../terminal/exit-codes.ts';
import { counted, plainText } from '../terminal/plain-text.ts';
import { listAddresses } from './address-range.ts';
import { writeDevice, writeDevicesIntro } from './configuration-text.ts';
import type { ExistingConfiguration } from './existing-configuration.ts';
import { extendMap } from './extend-map.ts';
import { findDevices, nameDevices, noAnswer, printDevices, type Wishes } from './find-devices.ts';
import { findIdentities, identityOf } from './known-devices.ts';
import { readSecretFiles, SecretFiles } from './secret-files.ts';
import { isCovered, listCredentials } from './shared-credentials.ts';
import { type ConfigurationFile, replaceFiles, shortPath } from './written-files.ts';

interface AddWishes extends Wishes {
  /** Each as it would be in waywiser.yml: a name, alone or with its options. */
  readonly plugins: readonly string[];
}

/** Finds devices that the configuration does not have yet, and adds them and the plugins to its files. */
export async function extend(
  existing: ExistingConfiguration,
  target: string | undefined,
  wishes: AddWishes,
): Promise<number> {
  const main = await addPlugins(existing, wishes.plugins);
  const devices = target === undefined ? [] : await addDevices(existing, target, wishes);
  const changed = [...devices, ...main];
  if (changed.length === 0) {
    console.log('Nothing to add.');
    return exitCodes.done;
  }
  replaceFiles(changed);
  const paths = changed.filter(({ isSecret }) => isSecret !== true).map(({ path }) => shortPath(path));
  console.log(`\nExtended ${paths.join(' and ')}. ${nextStep(existing.config, main.length > 0)}`);
  return exitCodes.done;
}

function nextStep(config: string, needsRestart: boolean): string {
  const start = `waywiser start --config ${shortPath(config)}`;
  return needsRestart ? `Next, restart the collector: ${start}` : `Next: waywiser ctl apply, or ${start}`;
}

/** The files to write: new secrets, then the file of devices. None when there is nothing to add. */
async function addDevices(
  existing: ExistingConfiguration,
  target: string,
  wishes: Wishes,
): Promise<ConfigurationFile[]> {
  const { devicesFile, shared, groups } = existing;
  const { addresses, port } = await listAddresses(target);
  const candidates = chooseCandidates(existing, wishes);
  // Before anything is sent: the file may be written in a way that cannot be extended.
  extendDevices(existing, target, '');

  const known = await findIdentities(existing.devices);
  const isKnown = (address: string) => known.has(identityOf(address, port));
  const there = addresses.filter(isKnown).map((address) => known.get(identityOf(address, port))!);
  if (there.length > 0) console.log(`Already there: ${listNames(there)}.`);
  const list = { addresses: addresses.filter((address) => !isKnown(address)), port };
  if (list.addresses.length === 0) return [];
  const probes = await findDevices({ ...list, ...wishes, candidates });
  if (probes.found.length === 0) {
    if (there.length === 0) throw noAnswer(list, probes);
    console.log('No other device answered.');
    return [];
  }
  const taken = existing.devices.keys();
  const devices = nameDevices(probes.found, { port, candidates, groups, taken });
  const secrets = new SecretFiles(readSecretFiles(existing.secretsDirectory));
  const entries = devices.map((device) => {
    const candidate = candidates[device.candidate]!;
    const isShared = isCovered(existing, candidate.credentials);
    return writeDevice(device, shared, isShared ? undefined : { candidate, secrets });
  });
  printDevices(devices, wishes.credentials.length === 0 ? [] : candidates);
  const text = extendDevices(existing, target, entries.join('\n'));
  return [...listSecrets(existing, secrets), { path: devicesFile, text }];
}

/** What was typed, otherwise the credentials that the configuration has. */
function chooseCandidates(existing: ExistingConfiguration, { credentials, options }: Wishes): Candidate[] {
  if (credentials.length > 0) return credentials.map(readCandidate);
  const shared = listCredentials(existing, options.v).map((each) => ({ typed: {}, credentials: each }));
  return shared.length > 0 ? shared : [readCandidate(options)];
}

const maxNames = 10;

function listNames(names: readonly string[]): string {
  const shown = names.slice(0, maxNames).map(plainText).join(', ');
  return names.length > maxNames ? `${shown} and ${names.length - maxNames} others` : shown;
}

/** The text of the file of devices with the entries at its end. */
function extendDevices(
  { devicesFile: path }: ExistingConfiguration,
  target: string,
  entries: string,
): string {
  const isNew = !existsSync(path);
  const hasSchema = existsSync(join(dirname(path), '../../schemas/devices.json'));
  const text = isNew ? writeDevicesIntro(target, hasSchema) : readFileSync(path, 'utf8');
  return extendMap({ label: shortPath(path), text }, undefined, `\n${entries}`);
}

function listSecrets({ config, secretsDirectory }: ExistingConfiguration, { files }: SecretFiles) {
  if (files.size === 0) return [];
  if (secretsDirectory === undefined) {
    const example = "-c '${env:COMMUNITY}'";
    throw cliFailure('INIT_NO_SECRETS_DIRECTORY', { config: shortPath(config), example });
  }
  return [...files].map(([name, text]) => ({ path: join(secretsDirectory, name), text, isSecret: true }));
}

/** The configuration file with the plugins that it does not have yet, when the collector would start with them; none without new ones. */
async function addPlugins(
  { config }: ExistingConfiguration,
  plugins: readonly string[],
): Promise<ConfigurationFile[]> {
  const text = readFileSync(config, 'utf8');
  const there = new Set(Object.keys(parse(text)?.plugins ?? {}));
  const wanted = new Map(plugins.flatMap(readPlugin));
  const added = [...wanted].filter(([key]) => !there.has(key));
  const known = [...wanted.keys()].filter((key) => there.has(key));
  if (known.length > 0) console.log(`Already there: ${listNames(known)}.`);
  if (added.length === 0) return [];
  const lines = added.map(([, line]) => line).join('');
  const extended = extendMap({ label: shortPath(config), text }, 'plugins', lines);
  const before = (await findStartProblems(config)).map(({ message }) => message);
  const [problem] = (await findStartProblems(config, extended)).filter(
    ({ level, message }) => level === 'error' && !before.includes(message),
  );
  if (problem === undefined) return [{ path: config, text: extended }];
  const names = added.map(([key]) => key).join(', ');
  throw cliFailure('INIT_PLUGIN_REFUSED', {
    plugins: counted(added.length, `the plugin ${names}`, `the plugins ${names}`).replace(/^\d+ /, ''),
    reason: problem.message,
  });
}

/** What would be in waywiser.yml, by the name of the plugin. */
function readPlugin(typed: string): [key: string, line: string][] {
  const text = typed.trim();
  const example = '\'http: { url: "https://example.org/records" }\'';
  const refuse = () => usageFailure('INIT_PLUGIN_INVALID', { example });
  if (/^[\w@./-]+$/.test(text)) return [[text, `${/^\w/.test(text) ? text : JSON.stringify(text)}: {}\n`]];
  let value: unknown;
  try {
    value = parse(text);
  } catch {
    throw refuse();
  }
  const keys = typeof value === 'object' && value !== null ? Object.keys(value) : [];
  if (keys.length !== 1 || text.startsWith('{')) throw refuse();
  return [[keys[0]!, `${text}\n`]];
}
