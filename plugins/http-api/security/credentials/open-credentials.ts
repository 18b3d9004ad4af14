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
}

/** Undefined when there are none at all: then nobody is asked. Throws when a file of them cannot be read. */
export function openCredentials(
  options: Pick<HttpOptions, 'tokens' | 'passwords' | 'limits'>,
  stateDirectory: string,
  log: Logger,
  now: () => number,
): Credentials | undefined {
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
  if (tokens.all().length === 0 && passwords.all().length === 0) return undefined;
  return {
    tokens: new TokenStore(tokens, now),
    passwords: new PasswordStore(passwords, options.limits.password_attempts_per_minute, now),
  };
}
