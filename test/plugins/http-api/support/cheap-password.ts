import { randomBytes, scryptSync } from 'node:crypto';

/** A stored password at the lowest cost that is accepted: a sixth of the usual one, so that a test with many attempts is short. */
export function storeCheaply(password: string): string {
  const salt = randomBytes(16);
  const hash = scryptSync(password, salt, 32, { N: 2 ** 14, r: 8, p: 1 });
  return `scrypt$14$8$1$${salt.toString('base64url')}$${hash.toString('base64url')}`;
}
