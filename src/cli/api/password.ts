import { stdin } from 'node:process';
import { createInterface } from 'node:readline/promises';
import { passwordLength } from '../../../plugins/http-api/security/credentials/password-length.ts';
import {
  hashPassword,
  makePassword,
} from '../../../plugins/http-api/security/credentials/stored-password.ts';
import { httpStartFailure } from '../../../plugins/http-api/security/start-failure.ts';
import { addCredential, type NewCredential } from './stored-credentials.ts';

interface NewPassword extends NewCredential {
  readonly stdin?: boolean;
}

/** `waywiser password new NAME`: a made-up password goes to standard output; one of the user's own goes nowhere. */
export async function newPassword(name: string, options: NewPassword): Promise<number> {
  return addCredential('password', name, options, async () => {
    const password = options.stdin === true ? await readPassword() : makePassword();
    if (options.stdin !== true) console.log(password);
    return { scrypt: await hashPassword(password) };
  });
}

async function readPassword(): Promise<string> {
  const lines = createInterface({ input: stdin });
  const { value } = await lines[Symbol.asyncIterator]().next();
  lines.close();
  const password = String(value ?? '');
  const { minCharacters: min, maxBytes: max } = passwordLength;
  if (password.length >= min && Buffer.byteLength(password) <= max) return password;
  const details = { length: password.length, min, max };
  throw httpStartFailure('HTTP_PASSWORD_UNFIT', details);
}
