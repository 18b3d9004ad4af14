import {
  type AuthProtocol,
  authProtocols,
  type PrivProtocol,
  privProtocols,
} from '../../../model/v3-protocols.ts';
import { extendKey, localizeKey } from '../crypto/key-derivation.ts';
import type { MasterKeys } from './master-keys.ts';
import { type SecurityLevel, securityLevel } from './security-level.ts';
import type { UserSettings } from './user-settings.ts';

/** A user with master keys instead of passphrases, for any engine. */
export interface SecurityUser {
  readonly name: Buffer;
  readonly level: SecurityLevel;
  readonly auth?: { readonly protocol: AuthProtocol; readonly masterKey: Buffer };
  readonly priv?: { readonly protocol: PrivProtocol; readonly masterKey: Buffer } | undefined;
}

/** A user's keys for one engine. */
export interface SecurityKeys {
  readonly auth?: { readonly protocol: AuthProtocol; readonly key: Buffer };
  readonly priv?: { readonly protocol: PrivProtocol; readonly key: Buffer };
}

/**
 * Throws a RangeError that names the setting (never a secret) for an empty passphrase, an unknown protocol, a name of more than
 * 32 octets, or privacy without authentication. Takes a millisecond per passphrase that is new to `masterKeys`.
 */
export function prepareUser(settings: UserSettings, masterKeys: MasterKeys): SecurityUser {
  const name = Buffer.from(settings.name);
  if (name.length === 0 || name.length > 32) {
    throw new RangeError(`A user name has 1 to 32 octets, but "${settings.name}" has ${name.length}.`);
  }
  const { authProtocol, authPassphrase, privProtocol, privPassphrase } = settings;
  if (authProtocol === undefined) {
    if (privProtocol !== undefined) {
      throw new RangeError(
        `User ${settings.name} has a privProtocol but no authProtocol: set both, or neither.`,
      );
    }
    return { name, level: securityLevel.noAuthNoPriv };
  }
  const protocol = checkProtocol(settings.name, 'authProtocol', authProtocols, authProtocol);
  const auth = {
    protocol,
    masterKey: masterKeys.get(protocol, checkPassphrase(settings.name, 'authPassphrase', authPassphrase)),
  };
  if (privProtocol === undefined) return { name, level: securityLevel.authNoPriv, auth };
  const priv = {
    protocol: checkProtocol(settings.name, 'privProtocol', privProtocols, privProtocol),
    masterKey: masterKeys.get(protocol, checkPassphrase(settings.name, 'privPassphrase', privPassphrase)),
  };
  return { name, level: securityLevel.authPriv, auth, priv };
}

/** Takes some microseconds; with Reeder's key extension and a short digest, a millisecond. */
export function localizeUser(user: SecurityUser, engineId: Uint8Array): SecurityKeys {
  const { auth, priv } = user;
  if (auth === undefined) return {};
  const authKey = {
    protocol: auth.protocol,
    key: compact(localizeKey(auth.protocol, auth.masterKey, engineId)),
  };
  if (priv === undefined) return { auth: authKey };
  const localized = localizeKey(auth.protocol, priv.masterKey, engineId);
  const key = compact(extendKey(auth.protocol, priv.protocol, localized, engineId));
  return { auth: authKey, priv: { protocol: priv.protocol, key } };
}

/** In pooled memory: a separate block for each of many thousand keys takes several times their size. */
function compact(key: Buffer): Buffer {
  return Buffer.from(key);
}

function checkPassphrase(user: string, setting: string, passphrase: string | undefined): string {
  if (passphrase) return passphrase;
  throw new RangeError(`User ${user} has no ${setting}, which the protocol needs: set it.`);
}

function checkProtocol<Protocol>(
  user: string,
  setting: string,
  protocols: Readonly<Record<string, Protocol>>,
  name: string,
): Protocol {
  const protocol = Object.hasOwn(protocols, name) ? protocols[name] : undefined;
  if (protocol !== undefined) return protocol;
  const known = Object.keys(protocols).join(', ');
  throw new RangeError(`User ${user} has the unknown ${setting} "${name}": use one of ${known}.`);
}
