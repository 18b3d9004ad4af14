import type { PrivProtocolName } from '../../model/v3-protocols.ts';
import { badTarget, parsePeerSettings, type Target } from '../peer/target.ts';
import type { PeerSettings } from '../transport/flight.ts';
import type { MasterKeys } from '../usm/user/master-keys.ts';
import { prepareUser } from '../usm/user/security-user.ts';
import type { UserSettings } from '../usm/user/user-settings.ts';
import { type LibraryOptions, type LibrarySession, type LibraryUser, library } from './net-snmp-library.ts';
import type { GuardedVersion } from './reply-filter.ts';

/** A target in the library's terms. */
export interface NetSnmpTarget {
  readonly peer: PeerSettings;
  readonly expected: GuardedVersion;
  create(dgramModule: LibraryOptions['dgramModule']): LibrarySession;
}

/** Throws SNMP_BAD_TARGET, also for what the library does not support. */
export function parseNetSnmpTarget(target: Target, masterKeys: MasterKeys): NetSnmpTarget {
  const peer = parsePeerSettings(target);
  const options = (
    version: number,
    dgramModule: LibraryOptions['dgramModule'],
    context = '',
  ): LibraryOptions => ({
    version,
    port: peer.port,
    transport: peer.isIpv6 ? 'udp6' : 'udp4',
    // The guard repeats requests itself, each time with a new id.
    retries: 0,
    timeout: peer.timeoutMs,
    context,
    idBitsSize: 32,
    backwardsGetNexts: false,
    reportOidMismatchErrors: true,
    strictIntRangeChecks: true,
    dgramModule,
  });
  if (target.version !== '3') {
    const version = target.version === '1' ? library.Version1 : library.Version2c;
    return {
      peer,
      expected: { version: target.version === '1' ? 0 : 1, community: Buffer.from(target.community) },
      create: (module) => library.createSession(peer.address, target.community, options(version, module)),
    };
  }
  if (target.contextEngineId !== undefined) {
    throw badTarget(target, 'the engine net-snmp does not support contextEngineId; use the built-in engine');
  }
  const { level } = checkUser(target, target.user, masterKeys);
  const user = toNetSnmpUser(target, target.user);
  return {
    peer,
    expected: { version: 3, user: target.user, level },
    create: (module) =>
      library.createV3Session(peer.address, user, options(library.Version3, module, target.context)),
  };
}

/** The same checks as in Waywiser's own engine. */
function checkUser(target: Target, user: UserSettings, masterKeys: MasterKeys) {
  try {
    return prepareUser(user, masterKeys);
  } catch (error) {
    if (error instanceof RangeError) throw badTarget(target, error.message.replace(/\.$/, ''), error);
    throw error;
  }
}

function toNetSnmpUser(target: Target, user: UserSettings): LibraryUser {
  const { name, authProtocol, authPassphrase, privProtocol, privPassphrase } = user;
  const { SecurityLevel, AuthProtocols, PrivProtocols } = library;
  if (authProtocol === undefined) return { name, level: SecurityLevel.noAuthNoPriv };
  const auth = { name, authProtocol: AuthProtocols[authProtocol], authKey: authPassphrase };
  if (privProtocol === undefined) return { ...auth, level: SecurityLevel.authNoPriv };
  const privName = privNames[privProtocol];
  if (privName === undefined)
    throw badTarget(
      target,
      `the engine net-snmp does not support the privProtocol ${privProtocol}; use the built-in engine`,
    );
  return {
    ...auth,
    level: SecurityLevel.authPriv,
    privProtocol: PrivProtocols[privName],
    privKey: privPassphrase,
  };
}

/** Without AES-192, which the library does not have, and DES, which it requests from OpenSSL by a name that OpenSSL 3 dropped. */
const privNames: Readonly<Partial<Record<PrivProtocolName, string>>> = {
  aes: 'aes',
  aes256: 'aes256b',
  aes256c: 'aes256r',
};
