import { statSync } from 'node:fs';
import { isDeepStrictEqual } from 'node:util';
import type { Logger } from '../../../../src/index.ts';
import { type CredentialKind, readCredentials, type StoredCredential } from './credential-file.ts';
import { hasExpired } from './stored-credential.ts';

/** How long a credential that was removed from the file stays valid. */
const recheckMs = 1000;

/** The credentials of the configuration and of the file. The file is read again when it changes. */
export class CredentialList<Kind extends CredentialKind> {
  readonly #kind: Kind;
  readonly #path: string;
  readonly #configured: readonly StoredCredential<Kind>[];
  readonly #log: Logger;
  readonly #now: () => number;
  #all: readonly StoredCredential<Kind>[];
  #isInUse: boolean;
  #version: string;
  #checkedMs: number;

  /** Throws when the file cannot be read. */
  constructor(
    kind: Kind,
    path: string,
    configured: readonly StoredCredential<Kind>[],
    log: Logger,
    now: () => number,
  ) {
    this.#kind = kind;
    this.#path = path;
    this.#configured = configured;
    this.#log = log;
    this.#now = now;
    this.#version = versionOf(path);
    this.#checkedMs = now();
    this.#all = [...configured, ...readCredentials(path, kind)];
    this.#isInUse = this.#all.length > 0;
  }

  /** Whether there is a credential, or was one since the start: removing the last one must not open the API to everybody. */
  get isInUse(): boolean {
    this.#refresh();
    return this.#isInUse;
  }

  /** Whether this credential still exists unchanged, and has not expired. */
  isValid(credential: StoredCredential<Kind>): boolean {
    return (
      !hasExpired(credential, this.#now()) && this.all().some((each) => isDeepStrictEqual(each, credential))
    );
  }

  all(): readonly StoredCredential<Kind>[] {
    this.#refresh();
    return this.#all;
  }

  #refresh(): void {
    const nowMs = this.#now();
    if (nowMs - this.#checkedMs < recheckMs) return;
    this.#checkedMs = nowMs;
    const version = versionOf(this.#path);
    if (version === this.#version) return;
    this.#version = version;
    try {
      this.#all = [...this.#configured, ...readCredentials(this.#path, this.#kind)];
    } catch (error) {
      this.#all = this.#configured;
      this.#log.error({ error }, `The ${this.#kind} file cannot be read. Its ${this.#kind}s are refused.`);
      this.#isInUse = true;
    }
    this.#isInUse ||= this.#all.length > 0;
  }
}

function versionOf(path: string): string {
  const stats = statSync(path, { throwIfNoEntry: false });
  return stats === undefined ? '' : `${stats.ino} ${stats.mtimeMs} ${stats.size}`;
}
