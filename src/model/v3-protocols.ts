/** How the messages of an SNMPv3 user are authenticated. */
export interface AuthProtocol {
  /** As the commands and their help write it. */
  readonly title: string;
  /** Other spellings that commands accept, in lower case and without hyphens. */
  readonly aliases: readonly string[];
  /** The digest as node:crypto names it. */
  readonly hash: 'md5' | 'sha1' | 'sha224' | 'sha256' | 'sha384' | 'sha512';
  /** What the digest takes in at a time; HMAC pads its key to this (RFC 2104 §2). */
  readonly blockBytes: 64 | 128;
  /** The length of a digest and of a localized key. */
  readonly digestBytes: number;
  /** The only length that a message's authentication parameters may have. */
  readonly macBytes: number;
}

/** By their names in definition files and targets. RFC 3414 §6 and §7, RFC 7860 §4 without truncated variants. */
export const authProtocols = {
  md5: { title: 'MD5', aliases: [], hash: 'md5', blockBytes: 64, digestBytes: 16, macBytes: 12 },
  sha: { title: 'SHA', aliases: ['sha1'], hash: 'sha1', blockBytes: 64, digestBytes: 20, macBytes: 12 },
  sha224: { title: 'SHA-224', aliases: [], hash: 'sha224', blockBytes: 64, digestBytes: 28, macBytes: 16 },
  sha256: { title: 'SHA-256', aliases: [], hash: 'sha256', blockBytes: 64, digestBytes: 32, macBytes: 24 },
  sha384: { title: 'SHA-384', aliases: [], hash: 'sha384', blockBytes: 128, digestBytes: 48, macBytes: 32 },
  sha512: { title: 'SHA-512', aliases: [], hash: 'sha512', blockBytes: 128, digestBytes: 64, macBytes: 48 },
} as const satisfies Readonly<Record<string, AuthProtocol>>;

export type AuthProtocolName = keyof typeof authProtocols;

/** How the scoped PDUs of an SNMPv3 user are encrypted. */
export interface PrivProtocol extends Pick<AuthProtocol, 'title' | 'aliases'> {
  /** As OpenSSL 3 names it; DES is there as triple DES with one key three times. */
  readonly cipher: 'des-ede3-cbc' | 'aes-128-cfb' | 'aes-192-cfb' | 'aes-256-cfb';
  /** Octets of the localized key that are used; for DES the second half is the pre-IV. */
  readonly keyBytes: number;
  /** How a digest that is shorter than the key is made longer. */
  readonly extension: 'blumenthal' | 'reeder';
}

/**
 * RFC 3414 §8, RFC 3826, draft-blumenthal-aes-usm-04 and, for the names ending in `c` (Cisco and others),
 * draft-reeder-snmpv3-usm-3desede-00. Every digest is long enough for DES and AES-128.
 */
export const privProtocols = {
  des: { title: 'DES', aliases: [], cipher: 'des-ede3-cbc', keyBytes: 16, extension: 'blumenthal' },
  aes: { title: 'AES', aliases: ['aes128'], cipher: 'aes-128-cfb', keyBytes: 16, extension: 'blumenthal' },
  aes192: { title: 'AES-192', aliases: [], cipher: 'aes-192-cfb', keyBytes: 24, extension: 'blumenthal' },
  aes256: { title: 'AES-256', aliases: [], cipher: 'aes-256-cfb', keyBytes: 32, extension: 'blumenthal' },
  aes192c: { title: 'AES-192-C', aliases: [], cipher: 'aes-192-cfb', keyBytes: 24, extension: 'reeder' },
  aes256c: { title: 'AES-256-C', aliases: [], cipher: 'aes-256-cfb', keyBytes: 32, extension: 'reeder' },
} as const satisfies Readonly<Record<string, PrivProtocol>>;

export type PrivProtocolName = keyof typeof privProtocols;

type Protocols<Name extends string> = Readonly<Record<Name, Pick<AuthProtocol, 'title' | 'aliases'>>>;

/** The protocols' names, in the order of their table. */
export function namesOf<Name extends string>(protocols: Protocols<Name>): readonly Name[] {
  return Object.keys(protocols) as Name[];
}

/** The protocol with this title or alias, such as `SHA-256`, `sha256` or `AES-192-C`; undefined when there is none. */
export function findProtocol<Name extends string>(
  protocols: Protocols<Name>,
  spelling: string,
): Name | undefined {
  const simple = spelling.toLowerCase().replaceAll('-', '');
  return namesOf(protocols).find((name) => name === simple || protocols[name].aliases.includes(simple));
}

/** All titles for a sentence, such as `MD5, SHA or SHA-256`. */
export function listTitles(protocols: Protocols<string>): string {
  const titles = Object.values(protocols).map(({ title }) => title);
  return `${titles.slice(0, -1).join(', ')} or ${titles.at(-1)}`;
}
