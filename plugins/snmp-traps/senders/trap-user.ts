import type { Secret } from '../../../src/index.ts';
import type { ReceiverUser, SecurityLevelName, UserSettings } from '../../../src/snmp/index.ts';
import type { TrapOptions } from '../options.ts';

/** The settings of an entry of the option users. */
export function settingsOf(user: TrapOptions['users'][number]): UserSettings {
  const { authentication_protocol: auth, privacy_protocol: priv } = user;
  return {
    name: user.username,
    ...(auth === 'noauth'
      ? {}
      : { authProtocol: auth, authPassphrase: reveal(user.authentication_passphrase) }),
    ...(priv === 'nopriv' ? {} : { privProtocol: priv, privPassphrase: reveal(user.privacy_passphrase) }),
  };
}

function reveal(secret: Secret | undefined): string {
  return secret?.reveal() ?? '';
}

/** Why a user cannot be used; undefined when it can. */
export function findFault({
  authProtocol,
  authPassphrase = '',
  privProtocol,
  privPassphrase = '',
}: UserSettings): string | undefined {
  if (privProtocol !== undefined && authProtocol === undefined)
    return 'encryption needs an authentication protocol';
  if (authProtocol !== undefined && authPassphrase.length < 8)
    return 'its authentication passphrase has fewer than 8 characters';
  if (privProtocol !== undefined && privPassphrase.length < 8)
    return 'its privacy passphrase has fewer than 8 characters';
  return undefined;
}

/** An SNMPv3 user who may send, without its keys. */
export interface AllowedUser {
  readonly user: string;
  readonly level: SecurityLevelName;
  /** Empty: all engines. */
  readonly engineIds: readonly string[];
}

/** The users of the option and of devices, in the order of their names. */
export function describeUsers(users: readonly ReceiverUser[]): AllowedUser[] {
  return users
    .map(
      ({ settings: { name, authProtocol, privProtocol }, engineIds = [] }): AllowedUser => ({
        user: name,
        level:
          authProtocol === undefined
            ? 'noAuthNoPriv'
            : privProtocol === undefined
              ? 'authNoPriv'
              : 'authPriv',
        engineIds,
      }),
    )
    .sort((a, b) => (a.user < b.user ? -1 : 1));
}
