import { timingSafeEqual } from 'node:crypto';
import { statSync } from 'node:fs';
import type { Logger } from '../../../../src/index.ts';
import { hashToken, type StoredToken } from './stored-token.ts';
import { readTokens } from './token-file.ts';

/** How long a token that was removed from the file may still be taken. */
const recheckMs = 1000;

/** The tokens of the configuration and of the file, which is read again when it changes. */
export class TokenStore {
  readonly #path: string;
  readonly #configured: readonly StoredToken[];
  readonly #log: Logger;
  readonly #now: () => number;
  #tokens: readonly StoredToken[];
  #version: string;
  #checkedMs: number;

  /** Throws when the file cannot be read. */
  constructor(path: string, configured: readonly StoredToken[], log: Logger, now: () => number) {
    this.#path = path;
    this.#configured = configured;
    this.#log = log;
    this.#now = now;
    this.#version = versionOf(path);
    this.#checkedMs = now();
    this.#tokens = [...configured, ...readTokens(path)];
  }

  get isEmpty(): boolean {
    return this.#tokens.length === 0;
  }

  /** Who has this token, unless it has expired. Every stored hash is compared, so that time tells nothing. */
  find(token: string): StoredToken | undefined {
    this.#refresh();
    const hash = hashToken(token);
    let found: StoredToken | undefined;
    for (const each of this.#tokens) {
      if (timingSafeEqual(hash, Buffer.from(each.sha256, 'hex'))) found = each;
    }
    const isWorthSomething = found?.expires === undefined || Date.parse(found.expires) > this.#now();
    return isWorthSomething ? found : undefined;
  }

  #refresh(): void {
    const nowMs = this.#now();
    if (nowMs - this.#checkedMs < recheckMs) return;
    this.#checkedMs = nowMs;
    const version = versionOf(this.#path);
    if (version === this.#version) return;
    this.#version = version;
    try {
      this.#tokens = [...this.#configured, ...readTokens(this.#path)];
    } catch (error) {
      this.#tokens = this.#configured;
      this.#log.error({ error }, 'The file of tokens cannot be used: its tokens are refused.');
    }
  }
}

function versionOf(path: string): string {
  const stats = statSync(path, { throwIfNoEntry: false });
  return stats === undefined ? '' : `${stats.ino} ${stats.mtimeMs} ${stats.size}`;
}
