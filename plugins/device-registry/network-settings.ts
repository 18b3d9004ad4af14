import type { RawDevice, RawEntry } from '../../src/definitions/index.ts';
import { isSecretReference } from '../../src/kernel/index.ts';
import type { ConfiguredDevice, Generation } from '../definitions-loader/service.ts';

export type Network = RawEntry<'networks'>;
type Credential = Network['credentials'][number];

/** The settings of a device of a network, and where they come from. */
export type NetworkSettings = Pick<ConfiguredDevice, 'settings' | 'settingOrigins'>;

/**
 * A unique name for each credential of a network. The state directory refers to a credential by this name: it contains no
 * secret, and in most cases stays valid when the order of the credentials changes.
 */
export function nameCredentials(credentials: readonly Credential[]): string[] {
  const counts = new Map<string, number>();
  return credentials.map((credential) => {
    const name = nameCredential(credential);
    const count = (counts.get(name) ?? 0) + 1;
    counts.set(name, count);
    return count === 1 ? name : `${name} #${count}`;
  });
}

/**
 * The settings of a device found at `ip`: those of the network, the group `auto` unless the network says otherwise, then those of defaults/device.yml except credentials and
 * groups, then the built-in ones. If the named credential is gone, all credentials of the first one's version are used.
 */
export function fillNetworkSettings(
  network: Network,
  credentialName: string,
  ip: string,
  generation: Pick<Generation, 'fillDevice' | 'findDeviceGroup'>,
): NetworkSettings {
  const { credentials, networks: _, port = 161, device_groups: groups, ...timing } = network;
  const named = credentials[nameCredentials(credentials).indexOf(credentialName)];
  const version = String((named ?? credentials[0])?.version ?? '2c') as '1' | '2c' | '3';
  const asked =
    named === undefined ? credentials.filter((each) => String(each.version) === version) : [named];
  const access =
    version === '3'
      ? { v3_credentials: asked.flatMap(({ v3_credential: user }) => user ?? []) }
      : { communities: asked.flatMap(({ community }) => community ?? []) };
  const fallback = generation.findDeviceGroup(autoGroup) === undefined ? 'by_sysobjectid' : [autoGroup];
  const chosen = groups ?? fallback;
  const polled = chosen === 'by_sysobjectid' ? {} : { device_groups: chosen };
  const given: RawDevice = { ip, port, version, ...timing, ...access, ...polled };
  const filled = generation.fillDevice('', given);
  const isOwn = new Set(Object.keys(given));
  const settings = Object.entries(filled.settings).filter(([key]) => isOwn.has(key) || !ownKeys.has(key));
  const origins = settings.map(([key]) => [key, isOwn.has(key) ? 'network' : filled.settingOrigins[key]]);
  return {
    settings: Object.fromEntries(settings) as RawDevice,
    settingOrigins: Object.fromEntries(origins) as NetworkSettings['settingOrigins'],
  };
}

/** Ships with the definitions. */
const autoGroup = 'auto';

/** Defaults never apply to these: a found device keeps the credential it answered, and its network says what is polled. */
const ownKeys: ReadonlySet<string> = new Set(['communities', 'v3_credentials', 'device_groups']);

function nameCredential({ version, community = '', v3_credential: user }: Credential): string {
  if (user !== undefined && String(version) === '3') return `3 ${user.username}`;
  return `${version} ${isSecretReference(community) ? community : 'plain'}`;
}
