import { randomBytes, scrypt, timingSafeEqual } from 'node:crypto';
import { promisify } from 'node:util';
import { type Static, Type } from '../../../../src/index.ts';
import { credentialFields } from './stored-credential.ts';

/** What a password of a person's own may be. */
export const passwordLength = { minCharacters: 12, maxBytes: 1024 } as const;

/** Bounds on the cost are part of the form: a hash from elsewhere must not take a second or a gigabyte to check. */
const form = /^scrypt\$(1[4-7])\$8\$([1-4])\$([\w-]{22})\$([\w-]{43})$/;

export const passwordSchema = Type.Object({
  ...credentialFields,
  scrypt: Type.String({
    pattern: form.source,
    description: 'hash of the password, as `waywiser password new` makes it',
  }),
});

/** What is kept of a password. */
export type StoredPassword = Static<typeof passwordSchema>;

/** 32 MiB and about a quarter of a second: the OWASP password storage cheat sheet's pair for this memory. */
const [log2Cost, blockSize, parallelization] = [15, 8, 3];

/** 144 random bits, which nobody has to remember. */
export function makePassword(): string {
  return randomBytes(18).toString('base64url');
}

export async function hashPassword(password: string): Promise<string> {
  const salt = randomBytes(16);
  const hash = await derive(password, salt, log2Cost, parallelization);
  const parts = [
    log2Cost,
    blockSize,
    parallelization,
    salt.toString('base64url'),
    hash.toString('base64url'),
  ];
  return `scrypt$${parts.join('$')}`;
}

/**
 * Off the main thread, and as long for a wrong password as for the right one; also when nobody has the name and there is
 * nothing to compare with, so that time does not tell who is known.
 */
export async function isPassword(password: string, stored = hashOfNothing): Promise<boolean> {
  const [, cost, parallel, salt = '', hash = ''] = form.exec(stored) ?? [];
  if (cost === undefined || parallel === undefined) return false;
  const found = await derive(password, Buffer.from(salt, 'base64url'), Number(cost), Number(parallel));
  return timingSafeEqual(found, Buffer.from(hash, 'base64url'));
}

const hashOfNothing = `scrypt$${log2Cost}$${blockSize}$${parallelization}$${'A'.repeat(22)}$${'A'.repeat(43)}`;

function derive(password: string, salt: Buffer, log2N: number, p: number): Promise<Buffer> {
  const N = 2 ** log2N;
  return deriveKey(password, salt, 32, { N, r: blockSize, p, maxmem: 256 * N * blockSize });
}

const deriveKey = promisify<string, Buffer, number, object, Buffer>(scrypt);
