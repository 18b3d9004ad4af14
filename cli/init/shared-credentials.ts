import { env } from 'node:process';
import { isDeepStrictEqual } from 'node:util';
import { buildTargets } from '../../plugins/device-registry/commands.ts';
import type { Candidate } from '../snmp/options/candidates.ts';
import type { Version } from './configuration-text.ts';
import type { ExistingConfiguration } from './existing-configuration.ts';

/** Whether the defaults have credentials that can be tried. */
export function hasCredentials({ defaults }: ExistingConfiguration): boolean {
  return [defaults.communities, defaults.v3_credentials].some((list = []) => list.length > 0);
}

/** The credentials of the defaults, those of the default version first; of one version, when it is given. */
export function listCredentials(
  { defaults, secretsDirectory }: ExistingConfiguration,
  only?: string,
): Candidate['credentials'][] {
  const standard = defaults.version === undefined ? '2c' : (String(defaults.version) as Version);
  const versions = only !== undefined ? [only] : standard === '3' ? ['3', '2c'] : [standard, '3'];
  if (!versions.every(isVersion)) return [];
  return versions.flatMap((version) => {
    const settings = { ...defaults, version };
    const targets = buildTargets(settings, '', { env, directory: secretsDirectory });
    return targets.map((target) =>
      target.version === '3'
        ? { version: target.version, user: target.user, context: target.context }
        : { version: target.version, community: target.community },
    );
  });
}

function isVersion(text: string): text is Version {
  return ['1', '2c', '3'].includes(text);
}

/** Whether a device with these credentials needs none of its own. */
export function isCovered(existing: ExistingConfiguration, credentials: Candidate['credentials']): boolean {
  try {
    return listCredentials(existing, credentials.version).some((known) =>
      isDeepStrictEqual(plain(known), plain(credentials)),
    );
  } catch {
    // A secret of the defaults cannot be read here.
    return false;
  }
}

/** Without keys that are absent in effect. */
function plain(credentials: Candidate['credentials']): unknown {
  return credentials.version === '3'
    ? { ...credentials, context: credentials.context || undefined }
    : credentials;
}
