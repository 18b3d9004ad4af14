import { timingSafeEqual } from 'node:crypto';
import type { Logger } from '../../../../src/index.ts';
import type { HttpOptions } from '../../options.ts';
import { credentialFileOf } from './credential-file.ts';
import { CredentialList } from './credential-list.ts';
import { PasswordStore } from './password-store.ts';
import { hasExpired } from './stored-credential.ts';
import { hashToken, type StoredToken } from './stored-token.ts';

/** Finds the owner of a token. */
export class TokenStore {
  readonly #list: CredentialList<'token'>;
  readonly #now: () => number;

  constructor(list: CredentialList<'token'>, now: () => number) {
    this.#list = list;
    this.#now = now;
  }

  /** The stored form of a token, unless it has expired. Compares all stored hashes, so that the time reveals nothing. */
  find(token: string): StoredToken | undefined {
    const hash = hashToken(token);
    let found: StoredToken | undefined;
    for (const each of this.#list.all()) {
      if (timingSafeEqual(hash, Buffer.from(each.sha256, 'hex'))) found = each;
    }
    return found === undefined || hasExpired(found, this.#now()) ? undefined : found;
  }

  /** Whether a token that was found is still valid. */
  isValid(token: StoredToken): boolean {
    return this.#list.isValid(token);
  }
}

/** The credentials that the API accepts. */
export interface Credentials {
  readonly tokens: TokenStore;
  readonly passwords: PasswordStore;
  /** Whether requests need a credential: from the first one on. */
  areRequired(): boolean;
}

/** Throws when a credential file cannot be read. */
export function openCredentials(
  options: Pick<HttpOptions, 'tokens' | 'passwords' | 'limits'>,
  stateDirectory: string,
  log: Logger,
  now: () => number,
): Credentials {
  const tokens = new CredentialList(
    'token',
    credentialFileOf(stateDirectory, 'token'),
    options.tokens,
    log,
    now,
  );
  const passwords = new CredentialList(
    'password',
    credentialFileOf(stateDirectory, 'password'),
    options.passwords,
    log,
    now,
  );
  return {
    tokens: new TokenStore(tokens, now),
    passwords: new PasswordStore(passwords, options.limits.password_attempts_per_minute, now),
    areRequired: () => tokens.isInUse || passwords.isInUse,
  };
}
