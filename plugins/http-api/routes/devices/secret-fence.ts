import type { DeviceProblem } from '../../../definitions-loader/service.ts';
import type { ManagedSettings } from '../../../device-registry/service.ts';
import type { HttpOptions } from '../../options.ts';

/** What there is against the secrets that a device of the API names. */
export type SecretFence = (settings: ManagedSettings) => readonly DeviceProblem[];

/**
 * Whoever may add a device chooses where its secrets are sent. So the operator says which ones devices of the API may name,
 * by `env:SNMP_*` or `file:core`; a star at the end stands for anything.
 */
export function createSecretFence({ secrets }: HttpOptions['managed_devices']): SecretFence {
  const isAllowed = (reference: string): boolean => {
    const name = reference.slice(2, -1);
    return secrets.some((allowed) =>
      allowed.endsWith('*') ? name.startsWith(allowed.slice(0, -1)) : name === allowed,
    );
  };
  return (settings) =>
    listReferences(settings)
      .filter(([, reference]) => !isAllowed(reference))
      .map(([path, reference]) => ({
        level: 'error',
        path,
        rule: 'unresolved-secret',
        message: `Devices of the API may not name ${reference}; \`managed_devices.secrets\` of http-api can allow it.`,
      }));
}

function listReferences({ communities = [], v3_credentials: users = [] }: ManagedSettings) {
  const found: [path: string, reference: string][] = communities.map((text, index) => [
    `communities.${index}`,
    text,
  ]);
  for (const [index, user] of users.entries()) {
    for (const key of secretKeys) {
      const text = user[key];
      if (text !== undefined) found.push([`v3_credentials.${index}.${key}`, text]);
    }
  }
  return found.filter(([, text]) => text.startsWith('${'));
}

const secretKeys = ['authentication_passphrase', 'privacy_passphrase', 'secret_key', 'privacy_key'] as const;
