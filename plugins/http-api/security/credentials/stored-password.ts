import { randomBytes, scrypt, timingSafeEqual } from 'node:crypto';
import { promisify } from 'node:util';
import { type Static, Type } from '../../../../src/index.ts';
import { credentialFields } from './stored-credential.ts';

/** The limits of a password that a person chooses. */
export const passwordLength = { minCharacters: 12, maxBytes: 1024 } as const;

/** The pattern limits the cost: checking a hash from elsewhere must not take a second or a gigabyte. */
const form = /^scrypt\$(1[4-7])\$8\$([1-4])\$([\w-]{22})\$([\w-]{43})$/;

export const passwordSchema = Type.Object({
  ...credentialFields,
  scrypt: Type.String({
    pattern: form.source,
    description: 'the scrypt hash of the password, as `waywiser password new` creates it',
  }),
});

/** The stored form of a password. */
export type StoredPassword = Static<typeof passwordSchema>;

/** 32 MiB and about a quarter of a second: the parameters of OWASP's password storage cheat sheet for this memory. */
const [log2Cost, blockSize, parallelization] = [15, 8, 3];

/** 144 random bits. */
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
 * Runs outside the main thread. Takes the same time for a wrong password and for a correct one, and also when the name is
 * unknown and there is no stored hash, so that the time does not reveal which names exist.
 */
export async function isPassword(password: string, stored = placeholderHash): Promise<boolean> {
  const [, cost, parallel, salt = '', hash = ''] = form.exec(stored) ?? [];
  if (cost === undefined || parallel === undefined) return false;
  const found = await derive(password, Buffer.from(salt, 'base64url'), Number(cost), Number(parallel));
  return timingSafeEqual(found, Buffer.from(hash, 'base64url'));
}

const placeholderHash = `scrypt$${log2Cost}$${blockSize}$${parallelization}$${'A'.repeat(22)}$${'A'.repeat(43)}`;

function derive(password: string, salt: Buffer, log2N: number, p: number): Promise<Buffer> {
  const N = 2 ** log2N;
  return deriveKey(password, salt, 32, { N, r: blockSize, p, maxmem: 256 * N * blockSize });
}

const deriveKey = promisify<string, Buffer, number, object, Buffer>(scrypt);
