import { isSecretReference } from '../../kernel/secrets.ts';
import type { Credentials } from '../snmp/options/credentials.ts';
import type { RequestOptions } from '../snmp/options/request-options.ts';
import type { FoundDevice } from './probe-addresses.ts';

export interface NamedDevice extends FoundDevice {
  /** Its key in the file. */
  readonly id: string;
  readonly deviceGroup: string | undefined;
}

/** waywiser.yml; `shipped` is the path of the definitions that ship. */
export function writeMainFile(shipped: string): string {
  return `# Written by \`waywiser init\`. \`waywiser plugins NAME\` shows every option of a plugin.
instance: waywiser
# What devices have and what they taught the collector survives a restart here.
state_directory: ./state
# \${file:NAME} in the definitions is a file of this directory.
secrets_directory: ./secrets
plugins:
  # The definitions that ship, then your own: what comes later wins by id.
  definitions-loader: { directories: [${quote(shipped)}, ./definitions] }
  device-registry: {}
  snmp-client: {}
  snmp-discovery: {}
  snmp-poller: {}
  # For this machine alone; http://127.0.0.1:8080/docs shows what it can do.
  http-api: { port: 8080 }
  # The latest values for Prometheus: http://127.0.0.1:8080/api/v1/snmp/metrics
  prometheus: {}
`;
}

/** definitions/defaults/device.yml: what the devices share. Passphrases and communities go to `secrets`. */
export function writeDefaults(credentials: Credentials, typed: RequestOptions, secrets: SecretFiles): string {
  const lines = ['# What every device in devices/ has unless it says otherwise.', 'defaults:'];
  if (credentials.version !== '3') {
    lines.push(
      `  version: ${quote(credentials.version)}`,
      '  # Tried in this order; the one that a device answers to is remembered.',
      `  communities: [${quote(secrets.refer('community', typed.c ?? 'public'))}]`,
    );
  } else {
    const { user, context } = credentials;
    lines.push('  version: "3"');
    if (context !== undefined) lines.push(`  context: ${quote(context)}`);
    lines.push(
      '  # Tried in this order; the one that a device answers to is remembered.',
      '  v3_credentials:',
    );
    lines.push(`    - username: ${quote(user.name)}`);
    if (user.authProtocol !== undefined) {
      lines.push(`      authentication_protocol: ${user.authProtocol}`);
      lines.push(`      authentication_passphrase: ${quote(secrets.refer('authentication', typed.A ?? ''))}`);
    }
    if (user.privProtocol !== undefined) {
      lines.push(`      privacy_protocol: ${user.privProtocol}`);
      lines.push(`      privacy_passphrase: ${quote(secrets.refer('privacy', typed.X ?? ''))}`);
    }
  }
  lines.push(
    '  # Seconds. Object types such as static have intervals of their own: defaults/object_types.yml.',
  );
  lines.push('  poll_interval: 60');
  return `${lines.join('\n')}\n`;
}

/** definitions/devices/devices.yml. */
export function writeDevices(devices: readonly NamedDevice[], port: number, target: string): string {
  const entries = devices.map(({ id, address, description, sysObjectId, deviceGroup }) => {
    const known =
      deviceGroup === undefined
        ? 'it does not say what it is'
        : `sysObjectID ${sysObjectId}: device group ${deviceGroup}`;
    const settings = [
      `ip: ${quote(address)}`,
      ...(port === 161 ? [] : [`port: ${port}`]),
      ...(deviceGroup === undefined ? ['device_groups: [standard]'] : []),
    ];
    return `# ${description ?? 'no description'}; ${known}\n${quote(id)}: { ${settings.join(', ')} }\n`;
  });
  const intro = `# What answered at ${target.replace(/\p{C}/gu, '')}. A device is asked for what the group of its sysObjectID names;
# \`device_groups: [...]\` chooses others, \`tags: { site: ... }\` marks its records.
`;
  return [intro, ...entries].join('\n');
}

/** JSON's quotes are YAML's, and nothing in them can end the line. */
function quote(text: string): string {
  return JSON.stringify(text);
}

/** Turns what was typed into references: `${env:NAME}` stays one, anything else becomes a file of the secrets directory. */
export class SecretFiles {
  readonly #files = new Map<string, string>();

  /** The reference to write into a definition. */
  refer(name: string, secret: string): string {
    if (isSecretReference(secret)) return secret;
    this.#files.set(name, secret);
    return `\${file:${name}}`;
  }

  /** By name: the secrets that are to be kept. */
  get files(): ReadonlyMap<string, string> {
    return this.#files;
  }
}
