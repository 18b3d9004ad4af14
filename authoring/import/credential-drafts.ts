import { groupName, UniqueNames } from '../drafts/draft-names.ts';
import type { DraftSettings, DraftValue } from '../drafts/draft-set.ts';

/** A user of SNMPv3 as other collectors spell it. */
export interface UserDraft {
  readonly username: string;
  readonly authentication?: { readonly protocol: string; readonly passphrase: string } | undefined;
  readonly privacy?: { readonly protocol: string; readonly passphrase: string } | undefined;
}

/** Turns the secrets of a configuration into references. A reference to an environment variable stays one. */
export class SecretDrafts {
  readonly files = new Map<string, string>();
  readonly #names = new UniqueNames('-');

  /** `${file:NAME}`; the same secret under the same name has one file. */
  referenceTo(name: string, secret: string): string {
    const variable = /^\$\{(\w+)\}$|^\$([A-Za-z_]\w*)$/.exec(secret);
    if (variable !== null) return `\${env:${variable[1] ?? variable[2]}}`;
    const file = this.#names.nameFor(groupName(name, 'secret'), secret);
    this.files.set(file, secret);
    return `\${file:${file}}`;
  }

  user(name: string, { username, authentication, privacy }: UserDraft): DraftSettings {
    return {
      username,
      ...(authentication && {
        authentication_protocol: authentication.protocol,
        authentication_passphrase: this.referenceTo(`${name}.authentication`, authentication.passphrase),
      }),
      ...(privacy && {
        privacy_protocol: privacy.protocol,
        privacy_passphrase: this.referenceTo(`${name}.privacy`, privacy.passphrase),
      }),
    };
  }
}

const authentications = ['md5', 'sha', 'sha224', 'sha256', 'sha384', 'sha512'];
const privacies = ['des', 'aes', 'aes192', 'aes256', 'aes192c', 'aes256c'];

/** `SHA-256` becomes `sha256`; undefined when there is no such protocol. */
export function protocolOf(kind: 'authentication' | 'privacy', text: string): string | undefined {
  const word = text
    .toLowerCase()
    .replace(/[-_]/g, '')
    .replace(/^hmac/, '')
    .replace(/^sha1$/, 'sha')
    .replace(/^aes128$/, 'aes');
  return (kind === 'authentication' ? authentications : privacies).includes(word) ? word : undefined;
}

/** `1`, `2`, `2c`, `v2c` and `3`. */
export function versionOf(text: string): '1' | '2c' | '3' | undefined {
  const word = text.toLowerCase().replace(/^v/, '');
  if (word === '2' || word === '2c') return '2c';
  return word === '1' || word === '3' ? word : undefined;
}

/** defaults/device.yml for credentials that no device names: all are tried in their order. */
export function defaultsFor(
  version: string | undefined,
  communities: readonly string[],
  users: readonly DraftSettings[],
  context: string | undefined,
): DraftSettings | undefined {
  if (version === undefined) return undefined;
  const list = <Each extends DraftValue>(values: readonly Each[]) =>
    values.length === 0 ? undefined : values;
  return { version, context, communities: list(communities), v3_credentials: list(users) };
}
