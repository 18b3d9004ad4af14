/** How a user's messages are authenticated. */
export interface AuthProtocol {
  /** The digest as node:crypto names it. */
  readonly hash: 'md5' | 'sha1' | 'sha224' | 'sha256' | 'sha384' | 'sha512';
  /** What the digest takes in at a time; HMAC pads its key to this (RFC 2104 §2). */
  readonly blockBytes: 64 | 128;
  /** The length of a digest and of a localized key. */
  readonly digestBytes: number;
  /** The one length that a message's authentication parameters may have. */
  readonly macBytes: number;
}

/** RFC 3414 §6 and §7, RFC 7860 §4 without truncated variants. */
export const authProtocols = {
  md5: { hash: 'md5', blockBytes: 64, digestBytes: 16, macBytes: 12 },
  sha: { hash: 'sha1', blockBytes: 64, digestBytes: 20, macBytes: 12 },
  sha224: { hash: 'sha224', blockBytes: 64, digestBytes: 28, macBytes: 16 },
  sha256: { hash: 'sha256', blockBytes: 64, digestBytes: 32, macBytes: 24 },
  sha384: { hash: 'sha384', blockBytes: 128, digestBytes: 48, macBytes: 32 },
  sha512: { hash: 'sha512', blockBytes: 128, digestBytes: 64, macBytes: 48 },
} as const satisfies Readonly<Record<string, AuthProtocol>>;

export type AuthProtocolName = keyof typeof authProtocols;
