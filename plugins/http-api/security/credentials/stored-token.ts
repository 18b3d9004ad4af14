import { createHash, randomBytes } from 'node:crypto';
import { type Static, Type } from '../../../../src/index.ts';
import { credentialFields } from './stored-credential.ts';

export const tokenSchema = Type.Object({
  ...credentialFields,
  sha256: Type.String({
    pattern: '^[0-9a-f]{64}$',
    description: 'the SHA-256 hash of the token, in hexadecimal',
  }),
});

/** The stored form of a token: enough to recognize the token, but not to use it. */
export type StoredToken = Static<typeof tokenSchema>;

/** 256 random bits, with a prefix by which secret scanners find leaked tokens. */
export function makeToken(): string {
  return `wwt_${randomBytes(32).toString('base64url')}`;
}

export function hashToken(token: string): Buffer {
  return createHash('sha256').update(token).digest();
}
