import type { Candidate } from '../snmp/options/candidates.ts';
import type { FoundDevice } from './probe-addresses.ts';
import type { SecretFiles } from './secret-files.ts';

export interface NamedDevice extends FoundDevice {
  /** Its key in the file. */
  readonly id: string;
  readonly port: number;
  readonly deviceGroup: string | undefined;
  readonly version: Version;
}

export type Version = Candidate['credentials']['version'];

/** waywiser.yml. */
export function writeMainFile(): string {
  return `${schemaLine('schemas/waywiser.json')}
# Written by \`waywiser init\`. \`waywiser plugins NAME\` shows every option of a plugin.
instance: waywiser
# Inventories and learned device limits are kept here across restarts.
state_directory: ./state
# \${file:NAME} in the definitions reads a file of this directory.
secrets_directory: ./secrets
plugins:
  # The definitions that ship with Waywiser, and your own in ./definitions, which replace shipped ones with the same id.
  definitions-loader: { directories: [./definitions] }
  device-registry: {}
  snmp-client: {}
  snmp-discovery: {}
  snmp-poller: {}
  # Reachable from this machine only; http://127.0.0.1:8080/docs describes it.
  http-api: { port: 8080 }
  # Serves the latest values to Prometheus at http://127.0.0.1:8080/api/v1/snmp/metrics
  prometheus: {}
  # Keeps the last weeks in 2 GiB of ./state/history, for http://127.0.0.1:8080/api/v1/history
  history: {}
  # The page at http://127.0.0.1:8080/
  web-page: {}
`;
}

/** definitions/defaults/device.yml: what all devices share. Communities and passphrases go to `secrets`. */
export function writeDefaults(candidates: readonly Candidate[], secrets: SecretFiles): string {
  const communities = candidates.flatMap((candidate) => writeCommunity(candidate, secrets));
  const users = candidates.flatMap((candidate) => writeUser(candidate, secrets));
  const context = candidates.map(contextOf).findLast((name) => name !== undefined);
  const lines = [
    schemaLine('../../schemas/deviceDefaults.json'),
    '# Settings of every device in devices/ that does not have its own.',
    'defaults:',
    `  version: ${quote(sharedVersion(candidates))}`,
    ...(context === undefined ? [] : [`  context: ${quote(context)}`]),
    '  # Tried in this order. Each device is asked again with the one that it answered.',
    ...(communities.length === 0 ? [] : [`  communities: [${communities.join(', ')}]`]),
    ...(users.length === 0 ? [] : ['  v3_credentials:', ...users.map((line) => `    ${line}`)]),
    '  # Seconds between polls of counters and states. What changes less is polled less often, in proportion.',
    '  poll_interval: 60',
  ];
  return `${lines.join('\n')}\n`;
}

function writeCommunity({ credentials, typed }: Candidate, secrets: SecretFiles): string[] {
  if (credentials.version === '3') return [];
  return [quote(secrets.referenceTo('community', typed.c ?? 'public'))];
}

/** The lines of a list item; none for a community. */
function writeUser({ credentials, typed }: Candidate, secrets: SecretFiles): string[] {
  if (credentials.version !== '3') return [];
  const { user } = credentials;
  const lines = [`- username: ${quote(user.name)}`];
  if (user.authProtocol !== undefined) {
    const reference = secrets.referenceTo('authentication', typed.A ?? '');
    lines.push(`  authentication_protocol: ${user.authProtocol}`);
    lines.push(`  authentication_passphrase: ${quote(reference)}`);
  }
  if (user.privProtocol !== undefined) {
    const reference = secrets.referenceTo('privacy', typed.X ?? '');
    lines.push(`  privacy_protocol: ${user.privProtocol}`);
    lines.push(`  privacy_passphrase: ${quote(reference)}`);
  }
  return lines;
}

function contextOf({ credentials }: Candidate): string | undefined {
  return credentials.version === '3' ? credentials.context : undefined;
}

/** The version of the devices that do not have their own: that of the first credentials. */
export function sharedVersion([first]: readonly Candidate[]): Version {
  return first?.credentials.version ?? '2c';
}

/** definitions/devices/devices.yml, before its devices. */
export function writeDevicesIntro(target: string, hasSchema: boolean): string {
  return `${hasSchema ? `${schemaLine('../../schemas/devices.json')}\n` : ''}# Devices that answered at ${target.replace(/\p{C}/gu, '')}. With the group auto, what a device answers decides what is polled;
# \`device_groups: [...]\` chooses other groups, \`tags: { site: ... }\` adds tags to its records.
`;
}

/** What the defaults of a configuration say, and what a device therefore leaves out. */
export interface SharedSettings {
  readonly port: number;
  readonly version: string | undefined;
  readonly context?: string | undefined;
  /** The device group of devices without another one; undefined to name none. */
  readonly fallbackGroup: string | undefined;
}

/** The entry of a device in a file of devices. `own` are its credentials when the defaults do not have them. */
export function writeDevice(
  { id, address, port, description, sysObjectId, deviceGroup, version }: NamedDevice,
  shared: SharedSettings,
  own?: { readonly candidate: Candidate; readonly secrets: SecretFiles },
): string {
  const group = deviceGroup === undefined ? shared.fallbackGroup : undefined;
  const context = own && version === '3' ? (contextOf(own.candidate) ?? '') : undefined;
  const settings = [
    `ip: ${quote(address)}`,
    ...(port === shared.port ? [] : [`port: ${port}`]),
    ...(version === shared.version ? [] : [`version: ${quote(version)}`]),
    ...(context === undefined || context === (shared.context ?? '') ? [] : [`context: ${quote(context)}`]),
    ...(own ? writeCommunity(own.candidate, own.secrets).map((each) => `communities: [${each}]`) : []),
    ...(group === undefined ? [] : [`device_groups: [${group}]`]),
  ];
  const users = own ? writeUser(own.candidate, own.secrets) : [];
  const known =
    deviceGroup === undefined
      ? `sysObjectID ${sysObjectId ?? 'missing'}`
      : `sysObjectID ${sysObjectId}: device group ${deviceGroup}`;
  const title = `# ${description ?? 'no description'}; ${known}`;
  if (users.length === 0) return `${title}\n${quote(id)}: { ${settings.join(', ')} }\n`;
  const block = [...settings, 'v3_credentials:', ...users.map((line) => `  ${line}`)];
  return [title, `${quote(id)}:`, ...block.map((line) => `  ${line}`), ''].join('\n');
}

/** Where an editor finds the schema of a file: a path relative to that file, so that it works offline. */
function schemaLine(path: string): string {
  return `# yaml-language-server: $schema=${path}`;
}

/** A JSON string is valid YAML, and no character in it ends the line. */
function quote(text: string): string {
  return JSON.stringify(text);
}
