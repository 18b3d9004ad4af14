import { createHash, randomBytes } from 'node:crypto';
import { type Static, Type } from '../../../../src/index.ts';
import { credentialFields } from './stored-credential.ts';

export const tokenSchema = Type.Object({
  ...credentialFields,
  sha256: Type.String({ pattern: '^[0-9a-f]{64}$', description: 'SHA-256 of the token, in hexadecimal' }),
});

/** What is kept of a token: enough to know it again, and nothing that lets anybody in. */
export type StoredToken = Static<typeof tokenSchema>;

/** 256 random bits, with a prefix by which scanners find one that leaked. */
export function makeToken(): string {
  return `wwt_${randomBytes(32).toString('base64url')}`;
}

export function hashToken(token: string): Buffer {
  return createHash('sha256').update(token).digest();
}
