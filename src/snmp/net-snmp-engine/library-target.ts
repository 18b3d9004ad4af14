import type { PrivProtocolName } from '../../model/v3-protocols.ts';
import { badTarget, parsePeerSettings, type Target } from '../session/target.ts';
import type { PeerSettings } from '../transport/flight.ts';
import type { MasterKeys } from '../usm/user/master-keys.ts';
import { prepareUser } from '../usm/user/security-user.ts';
import type { UserSettings } from '../usm/user/user-settings.ts';
import { type LibraryOptions, type LibrarySession, type LibraryUser, library } from './library.ts';
import type { GuardedVersion } from './reply-guard.ts';

/** A target as the library wants it. */
export interface LibraryTarget {
  readonly peer: PeerSettings;
  readonly expected: GuardedVersion;
  create(dgramModule: LibraryOptions['dgramModule']): LibrarySession;
}

/** Throws SNMP_BAD_TARGET, also for what the library cannot do. */
export function parseLibraryTarget(target: Target, masterKeys: MasterKeys): LibraryTarget {
  const peer = parsePeerSettings(target);
  const options = (
    version: number,
    dgramModule: LibraryOptions['dgramModule'],
    context = '',
  ): LibraryOptions => ({
    version,
    port: peer.port,
    transport: peer.isIpv6 ? 'udp6' : 'udp4',
    // The fence repeats requests itself, each time with another id.
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
    throw badTarget(target, 'the engine net-snmp knows no contextEngineId; use our own engine');
  }
  const { level } = checkUser(target, target.user, masterKeys);
  const user = toLibraryUser(target, target.user);
  return {
    peer,
    expected: { version: 3, user: target.user, level },
    create: (module) =>
      library.createV3Session(peer.address, user, options(library.Version3, module, target.context)),
  };
}

/** The same checks as for our own engine. */
function checkUser(target: Target, user: UserSettings, masterKeys: MasterKeys) {
  try {
    return prepareUser(user, masterKeys);
  } catch (error) {
    if (error instanceof RangeError) throw badTarget(target, error.message.replace(/\.$/, ''), error);
    throw error;
  }
}

function toLibraryUser(target: Target, user: UserSettings): LibraryUser {
  const { name, authProtocol, authPassphrase, privProtocol, privPassphrase } = user;
  const { SecurityLevel, AuthProtocols, PrivProtocols } = library;
  if (authProtocol === undefined) return { name, level: SecurityLevel.noAuthNoPriv };
  const auth = { name, authProtocol: AuthProtocols[authProtocol], authKey: authPassphrase };
  if (privProtocol === undefined) return { ...auth, level: SecurityLevel.authNoPriv };
  const privName = privNames[privProtocol];
  if (privName === undefined)
    throw badTarget(target, `the engine net-snmp does not know the privProtocol ${privProtocol}`);
  return {
    ...auth,
    level: SecurityLevel.authPriv,
    privProtocol: PrivProtocols[privName],
    privKey: privPassphrase,
  };
}

/** Not AES-192, which the library has not, nor DES, which it asks of OpenSSL by the name that OpenSSL 3 no longer has. */
const privNames: Readonly<Partial<Record<PrivProtocolName, string>>> = {
  aes: 'aes',
  aes256: 'aes256b',
  aes256c: 'aes256r',
};
