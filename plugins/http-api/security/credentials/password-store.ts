import { createHmac, randomBytes } from 'node:crypto';
import type { CredentialList } from './credential-list.ts';
import { hasExpired } from './stored-credential.ts';
import { isPassword, passwordLength, type StoredPassword } from './stored-password.ts';

export type PasswordVerdict =
  | { readonly known: StoredPassword }
  /** `attempts`: too many from this address; `busy`: too many checks are waiting. */
  | { readonly refused: 'wrong' | 'attempts' | 'busy' };

/** Node has four threads for such work. The others stay free for files and host names. */
const maxRunning = 2;
const maxWaiting = 16;
const maxRemembered = 1000;
const windowMs = 60_000;

/** Since the first attempt of an address; after a minute it may try again. */
interface Attempts {
  count: number;
  readonly sinceMs: number;
}

/**
 * Checks passwords. A check takes a thread a quarter of a second. So correct passwords are remembered by a keyed digest, few
 * checks run at the same time, and the number of attempts per minute and address is limited.
 */
export class PasswordStore {
  readonly #list: CredentialList<'password'>;
  readonly #maxAttempts: number;
  readonly #now: () => number;
  readonly #key = randomBytes(32);
  /** The stored hash by the digest of its password. A password whose stored hash was replaced is checked again. */
  readonly #remembered = new Map<string, string>();
  /** By address, in the order of their beginnings. */
  readonly #attempts = new Map<string, Attempts>();
  readonly #waiting: (() => void)[] = [];
  #running = 0;

  constructor(list: CredentialList<'password'>, maxAttemptsPerMinute: number, now: () => number) {
    this.#list = list;
    this.#maxAttempts = maxAttemptsPerMinute;
    this.#now = now;
  }

  async verify(name: string, password: string, address: string): Promise<PasswordVerdict> {
    const found = this.#list.all().find((each) => each.name === name);
    const stored = found === undefined || hasExpired(found, this.#now()) ? undefined : found;
    const digest = createHmac('sha256', this.#key).update(`${name}\0${password}`).digest('base64');
    if (stored !== undefined && this.#remembered.get(digest) === stored.scrypt) return { known: stored };

    const attempts = this.#attemptsOf(address);
    if (attempts.count >= this.#maxAttempts) return { refused: 'attempts' };
    // Before the check, so that simultaneous attempts count too.
    attempts.count++;
    if (Buffer.byteLength(password) > passwordLength.maxBytes) return { refused: 'wrong' };
    if (this.#waiting.length >= maxWaiting) return { refused: 'busy' };
    const isRight = await this.#inTurn(() => isPassword(password, stored?.scrypt));
    if (!isRight || stored === undefined) return { refused: 'wrong' };
    attempts.count--;
    if (this.#remembered.size >= maxRemembered) this.#remembered.clear();
    this.#remembered.set(digest, stored.scrypt);
    return { known: stored };
  }

  /** Whether a password that was correct is still valid. */
  isValid(password: StoredPassword): boolean {
    return this.#list.isValid(password);
  }

  #attemptsOf(address: string): Attempts {
    const sinceMs = this.#now();
    for (const [old, attempts] of this.#attempts) {
      const ageMs = sinceMs - attempts.sinceMs;
      // A negative age: the clock was set back.
      if (ageMs >= 0 && ageMs < windowMs) break;
      this.#attempts.delete(old);
    }
    const known = this.#attempts.get(address);
    if (known !== undefined) return known;
    const attempts: Attempts = { count: 0, sinceMs };
    this.#attempts.set(address, attempts);
    return attempts;
  }

  async #inTurn<Result>(work: () => Promise<Result>): Promise<Result> {
    if (this.#running >= maxRunning) await new Promise<void>((resolve) => this.#waiting.push(resolve));
    else this.#running++;
    try {
      return await work();
    } finally {
      const next = this.#waiting.shift();
      if (next === undefined) this.#running--;
      else next();
    }
  }
}
