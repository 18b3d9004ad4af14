import { timingSafeEqual } from 'node:crypto';
import type { CredentialList } from './credential-list.ts';
import { hasExpired } from './stored-credential.ts';
import { hashToken, type StoredToken } from './stored-token.ts';

/** Knows tokens again. */
export class TokenStore {
  readonly #list: CredentialList<'token'>;
  readonly #now: () => number;

  constructor(list: CredentialList<'token'>, now: () => number) {
    this.#list = list;
    this.#now = now;
  }

  /** Who has this token, unless it has expired. Every stored hash is compared, so that time tells nothing. */
  find(token: string): StoredToken | undefined {
    const hash = hashToken(token);
    let found: StoredToken | undefined;
    for (const each of this.#list.all()) {
      if (timingSafeEqual(hash, Buffer.from(each.sha256, 'hex'))) found = each;
    }
    return found === undefined || hasExpired(found, this.#now()) ? undefined : found;
  }

  /** Whether one that was found is still worth something. */
  holds(token: StoredToken): boolean {
    return this.#list.holds(token);
  }
}
