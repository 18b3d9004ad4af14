import type { Logger } from '../../../../src/index.ts';
import type { HttpOptions } from '../../options.ts';
import { credentialFileOf } from './credential-file.ts';
import { CredentialList } from './credential-list.ts';
import { PasswordStore } from './password-store.ts';
import { TokenStore } from './token-store.ts';

/** Whom the API lets in. */
export interface Credentials {
  readonly tokens: TokenStore;
  readonly passwords: PasswordStore;
  /** Whether everybody must show one: from the first one on. */
  areAsked(): boolean;
}

/** Throws when a file of them cannot be read. */
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
    areAsked: () => tokens.isInUse || passwords.isInUse,
  };
}
