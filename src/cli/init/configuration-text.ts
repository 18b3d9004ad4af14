import { isSecretReference } from '../../kernel/secrets.ts';
import type { Candidate } from './candidates.ts';
import type { FoundDevice } from './probe-addresses.ts';

export interface NamedDevice extends FoundDevice {
  /** Its key in the file. */
  readonly id: string;
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
`;
}

/** definitions/defaults/device.yml: what all devices share. Communities and passphrases go to `secrets`. */
export function writeDefaults(candidates: readonly Candidate[], secrets: SecretFiles): string {
  const communities: string[] = [];
  const users: string[] = [];
  let context: string | undefined;
  for (const { credentials, typed } of candidates) {
    if (credentials.version !== '3') {
      communities.push(quote(secrets.referenceTo('community', typed.c ?? 'public')));
      continue;
    }
    const { user } = credentials;
    context = credentials.context;
    users.push(`    - username: ${quote(user.name)}`);
    if (user.authProtocol !== undefined) {
      users.push(`      authentication_protocol: ${user.authProtocol}`);
      users.push(
        `      authentication_passphrase: ${quote(secrets.referenceTo('authentication', typed.A ?? ''))}`,
      );
    }
    if (user.privProtocol !== undefined) {
      users.push(`      privacy_protocol: ${user.privProtocol}`);
      users.push(`      privacy_passphrase: ${quote(secrets.referenceTo('privacy', typed.X ?? ''))}`);
    }
  }
  const lines = [
    schemaLine('../../schemas/deviceDefaults.json'),
    '# Settings of every device in devices/ that does not have its own.',
    'defaults:',
    `  version: ${quote(sharedVersion(candidates))}`,
    ...(context === undefined ? [] : [`  context: ${quote(context)}`]),
    '  # Tried in this order. Each device is asked again with the one that it answered.',
    ...(communities.length === 0 ? [] : [`  communities: [${communities.join(', ')}]`]),
    ...(users.length === 0 ? [] : ['  v3_credentials:', ...users]),
    '  # Seconds. Object types such as static have intervals of their own: defaults/object_types.yml.',
    '  poll_interval: 60',
  ];
  return `${lines.join('\n')}\n`;
}

/** The version of the devices that do not have their own: that of the first credentials. */
export function sharedVersion([first]: readonly Candidate[]): Version {
  return first?.credentials.version ?? '2c';
}

/** definitions/devices/devices.yml. */
export function writeDevices(
  devices: readonly NamedDevice[],
  {
    port,
    target,
    version: shared,
  }: { readonly port: number; readonly target: string; readonly version: Version },
): string {
  const entries = devices.map(({ id, address, description, sysObjectId, deviceGroup, version }) => {
    const known =
      deviceGroup === undefined
        ? 'no sysObjectID that a device group names'
        : `sysObjectID ${sysObjectId}: device group ${deviceGroup}`;
    const settings = [
      `ip: ${quote(address)}`,
      ...(port === 161 ? [] : [`port: ${port}`]),
      ...(version === shared ? [] : [`version: ${quote(version)}`]),
      ...(deviceGroup === undefined ? ['device_groups: [standard]'] : []),
    ];
    return `# ${description ?? 'no description'}; ${known}\n${quote(id)}: { ${settings.join(', ')} }\n`;
  });
  const intro = `${schemaLine('../../schemas/devices.json')}
# Devices that answered at ${target.replace(/\p{C}/gu, '')}. The sysObjectID of a device decides its device group and so what is polled;
# \`device_groups: [...]\` chooses other groups, \`tags: { site: ... }\` adds tags to its records.
`;
  return [intro, ...entries].join('\n');
}

/** Where an editor finds the schema of a file: a path relative to that file, so that it works offline. */
function schemaLine(path: string): string {
  return `# yaml-language-server: $schema=${path}`;
}

/** A JSON string is valid YAML, and no character in it ends the line. */
function quote(text: string): string {
  return JSON.stringify(text);
}

/** Turns secrets into references: `${env:NAME}` stays as it is, any other text becomes a file such as community-2. */
export class SecretFiles {
  readonly #files = new Map<string, string>();

  /** The reference to write into a definition. */
  referenceTo(name: string, secret: string): string {
    if (isSecretReference(secret)) return secret;
    const count = [...this.#files.keys()].filter((file) => file.replace(/-\d+$/, '') === name).length;
    const file = count === 0 ? name : `${name}-${count + 1}`;
    this.#files.set(file, secret);
    return `\${file:${file}}`;
  }

  /** The secrets to write, by the name of their file. */
  get files(): ReadonlyMap<string, string> {
    return this.#files;
  }
}
