import type { Inventory } from '../../../src/index.ts';
import { type AddressRange, canonicalAddress, parseNetwork } from '../../../src/model/index.ts';
import type {
  NotificationRights,
  ReceiverUser,
  SenderCredentials,
  SenderRule,
  Target,
  UserSettings,
} from '../../../src/snmp/index.ts';
import type { Device, DeviceRegistry } from '../../device-registry/service.ts';
import { trapFailure } from '../errors.ts';
import type { TrapOptions } from '../options.ts';
import { findFault, settingsOf } from './trap-user.ts';

/** Who may send, and the keys of SNMPv3. It contains secrets: pass it to the receiver only. */
export interface TrapRights {
  readonly rights: NotificationRights;
  readonly users: readonly ReceiverUser[];
}

export interface RightsParts {
  readonly plugin: string;
  readonly options: Pick<TrapOptions, 'senders' | 'users' | 'devices'>;
  readonly registry: Pick<DeviceRegistry, 'devices' | 'getTargets'>;
  findInventory(device: Device): Inventory | undefined;
}

/** Devices that are looked at in one step, between other work. */
const devicesPerStep = 200;

/** Throws TRAP_USER_INVALID and TRAP_NETWORK_INVALID. */
export function* listRights({
  plugin,
  options,
  registry,
  findInventory,
}: RightsParts): Generator<void, TrapRights> {
  const users = new UserList();
  const configured = new Map<string, string[]>();
  for (const user of options.users) {
    const settings = settingsOf(user);
    const reason = findFault(settings);
    if (reason !== undefined) throw trapFailure('TRAP_USER_INVALID', { plugin, user: user.username, reason });
    const key = users.add(settings, user.engine_ids);
    configured.set(user.username, [...(configured.get(user.username) ?? []), key]);
  }
  const all = [...configured.values()].flat();
  const senders = options.senders.map(
    (sender): SenderRule => ({
      name: sender.name,
      from: parseNetworks(sender.from, { plugin, option: `senders (${sender.name})` }),
      versions: sender.versions,
      communities: sender.communities.map((community) => community.reveal()),
      users:
        sender.users === undefined
          ? all
          : sender.users.flatMap((name) => knownUser(name, configured, plugin)),
      minLevel: sender.min_level,
    }),
  );
  const devices = new Map<string, SenderCredentials>();
  let count = 0;
  for (const device of options.devices ? registry.devices() : []) {
    if (++count % devicesPerStep === 0) yield;
    const address = canonicalAddress(findInventory(device)?.address ?? device.ref.ip);
    if (address === undefined) continue;
    const credentials = credentialsOf(listTargets(registry, device, address), users);
    const known = devices.get(address);
    devices.set(address, known === undefined ? credentials : join(known, credentials));
  }
  return { rights: { senders, devices }, users: users.entries };
}

/** Throws TRAP_NETWORK_INVALID. */
export function parseNetworks(
  networks: readonly string[],
  { plugin, option }: { readonly plugin: string; readonly option: string },
): AddressRange[] {
  return networks.map((given) => {
    const range = parseNetwork(given.includes('/') ? given : `${given}/${given.includes(':') ? 128 : 32}`);
    if (range === undefined) throw trapFailure('TRAP_NETWORK_INVALID', { plugin, option, given });
    return range;
  });
}

function knownUser(name: string, configured: ReadonlyMap<string, string[]>, plugin: string): string[] {
  const keys = configured.get(name);
  if (keys === undefined)
    throw trapFailure('TRAP_USER_INVALID', {
      plugin,
      user: name,
      reason: 'a sender names it, and users has no such username',
    });
  return keys;
}

/** A device whose secrets cannot be read now may not send until they can. */
function listTargets(registry: RightsParts['registry'], device: Device, address: string): readonly Target[] {
  try {
    return registry.getTargets(device, address);
  } catch {
    return [];
  }
}

function credentialsOf(targets: readonly Target[], users: UserList): SenderCredentials {
  const communities: string[] = [];
  const keys: string[] = [];
  for (const target of targets) {
    if (target.version !== '3') communities.push(target.community);
    else if (findFault(target.user) === undefined) keys.push(users.add(target.user, []));
  }
  // A device that is polled with v2c may still send v1 traps.
  return {
    versions: [
      ...(communities.length > 0 ? (['1', '2c'] as const) : []),
      ...(keys.length > 0 ? (['3'] as const) : []),
    ],
    communities,
    users: keys,
  };
}

function join(left: SenderCredentials, right: SenderCredentials): SenderCredentials {
  return {
    versions: [...new Set([...left.versions, ...right.versions])],
    communities: [...(left.communities ?? []), ...(right.communities ?? [])],
    users: [...(left.users ?? []), ...(right.users ?? [])],
  };
}

/** Users with equal settings are one user: devices often share them. */
class UserList {
  readonly #byText = new Map<string, ReceiverUser>();

  get entries(): readonly ReceiverUser[] {
    return [...this.#byText.values()];
  }

  add(settings: UserSettings, engineIds: readonly string[]): string {
    const { name, authProtocol, authPassphrase, privProtocol, privPassphrase } = settings;
    const text = JSON.stringify([
      name,
      authProtocol,
      authPassphrase,
      privProtocol,
      privPassphrase,
      engineIds,
    ]);
    const known = this.#byText.get(text);
    if (known !== undefined) return known.key;
    const key = `${this.#byText.size + 1} ${name}`;
    this.#byText.set(text, { key, settings, engineIds });
    return key;
  }
}
