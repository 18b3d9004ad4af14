import { createHash, randomBytes } from 'node:crypto';
import { type Static, Type } from '../../../../src/index.ts';

export const tokenSchema = Type.Object({
  name: Type.String({ pattern: '^[\\w.@-]{1,64}$', description: 'who has it; audit lines carry it' }),
  role: Type.Union([Type.Literal('read'), Type.Literal('operate'), Type.Literal('admin')], {
    description: 'read, operate or admin; each may do what those before it may',
  }),
  sha256: Type.String({ pattern: '^[0-9a-f]{64}$', description: 'SHA-256 of the token, in hexadecimal' }),
  expires: Type.Optional(
    Type.String({
      pattern: '^\\d{4}-\\d{2}-\\d{2}(T[\\d:.]+Z)?$',
      description: 'the moment from which it is worth nothing, such as 2030-01-31',
    }),
  ),
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
