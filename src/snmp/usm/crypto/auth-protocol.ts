/** How a user's messages are authenticated. */
export interface AuthProtocol {
  /** The digest as node:crypto names it. */
  readonly hash: 'md5' | 'sha1' | 'sha224' | 'sha256' | 'sha384' | 'sha512';
  /** The length of a digest and of a localized key. */
  readonly digestBytes: number;
  /** The one length that a message's authentication parameters may have. */
  readonly macBytes: number;
}

/** RFC 3414 §6 and §7, RFC 7860 §4 without truncated variants. */
export const authProtocols = {
  md5: { hash: 'md5', digestBytes: 16, macBytes: 12 },
  sha: { hash: 'sha1', digestBytes: 20, macBytes: 12 },
  sha224: { hash: 'sha224', digestBytes: 28, macBytes: 16 },
  sha256: { hash: 'sha256', digestBytes: 32, macBytes: 24 },
  sha384: { hash: 'sha384', digestBytes: 48, macBytes: 32 },
  sha512: { hash: 'sha512', digestBytes: 64, macBytes: 48 },
} as const satisfies Readonly<Record<string, AuthProtocol>>;

export type AuthProtocolName = keyof typeof authProtocols;
