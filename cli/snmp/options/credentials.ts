import { isSecretReference, resolveSecret } from '../../../src/kernel/secrets.ts';
import { isShortPassphrase, minPassphraseOctets } from '../../../src/model/passphrase-length.ts';
import { authProtocols, findProtocol, listTitles, privProtocols } from '../../../src/model/v3-protocols.ts';
import type { CommunityTarget, UserTarget } from '../../../src/snmp/index.ts';
import { usageFailure } from '../../cli-errors.ts';
import type { RequestOptions } from './request-options.ts';

export type Credentials =
  | Pick<CommunityTarget, 'version' | 'community'>
  | Pick<UserTarget, 'version' | 'user' | 'context'>;

type Environment = Readonly<Record<string, string | undefined>>;

/**
 * Reads the options as net-snmp does, with MD5 and DES as defaults. Three defaults differ: the version is 3 with any option of
 * SNMPv3 and otherwise 2c, the community is `public`, and the level follows from the passphrases, so that a missing -l never
 * means less protection than they allow.
 */
export function parseCredentials(options: RequestOptions, env: Environment): Credentials {
  const version = options.v ?? (asksForV3(options) ? '3' : '2c');
  switch (version) {
    case '1':
    case '2c':
      return { version, community: readSecret(options.c ?? 'public', env) };
    case '3':
      return { version, user: parseUser(options, env), context: options.n };
    default:
      throw usageFailure('OPTION_INVALID', { option: '-v', expected: '1, 2c or 3' });
  }
}

/** Whether an option of SNMPv3 was typed. */
export function asksForV3({ u, l, a, A, x, X, n }: RequestOptions): boolean {
  return [u, l, a, A, x, X, n].some((option) => option !== undefined);
}

function parseUser(options: RequestOptions, env: Environment): UserTarget['user'] {
  const name = options.u;
  if (name === undefined) {
    throw usageFailure('OPTION_MISSING', { option: '-u', reason: 'SNMPv3 needs a user name' });
  }
  const level = levelOf(options);
  if (level === 'noauthnopriv') return { name };
  const auth = {
    name,
    authProtocol: parseProtocol('-a', options.a ?? 'MD5', authProtocols),
    authPassphrase: requirePassphrase('-A', options.A, level, env),
  };
  if (level === 'authnopriv') return auth;
  return {
    ...auth,
    privProtocol: parseProtocol('-x', options.x ?? 'DES', privProtocols),
    privPassphrase: requirePassphrase('-X', options.X, level, env),
  };
}

const levels = { noauthnopriv: 'noAuthNoPriv', authnopriv: 'authNoPriv', authpriv: 'authPriv' } as const;
type Level = keyof typeof levels;

function levelOf({ l, a, A, x, X }: RequestOptions): Level {
  if (l !== undefined) {
    const level = l.toLowerCase();
    if (level in levels) return level as Level;
    throw usageFailure('OPTION_INVALID', {
      option: '-l',
      expected: 'noAuthNoPriv, authNoPriv or authPriv',
    });
  }
  if (x !== undefined || X !== undefined) return 'authpriv';
  return a !== undefined || A !== undefined ? 'authnopriv' : 'noauthnopriv';
}

function parseProtocol<Name extends string>(
  option: string,
  spelling: string,
  protocols: Parameters<typeof findProtocol<Name>>[0],
): Name {
  const name = findProtocol(protocols, spelling);
  if (name === undefined) {
    throw usageFailure('OPTION_INVALID', { option, expected: listTitles(protocols) });
  }
  return name;
}

function requirePassphrase(option: string, text: string | undefined, level: Level, env: Environment): string {
  if (!text) throw usageFailure('OPTION_MISSING', { option, reason: `${levels[level]} needs a passphrase` });
  const passphrase = readSecret(text, env);
  if (!isShortPassphrase(passphrase)) return passphrase;
  throw usageFailure('OPTION_INVALID', {
    option,
    expected: `a passphrase of at least ${minPassphraseOctets} characters, as SNMPv3 requires`,
  });
}

/** `${env:NAME}` keeps a secret out of the process list. */
function readSecret(text: string, env: Environment): string {
  return isSecretReference(text) ? resolveSecret(text, { env, directory: undefined }).reveal() : text;
}
