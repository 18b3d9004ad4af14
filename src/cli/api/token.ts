import { hashToken, makeToken } from '../../../plugins/http-api/security/credentials/stored-token.ts';
import { addCredential, type NewCredential } from './stored-credentials.ts';

/** `waywiser token new NAME`: only the token goes to standard output. */
export async function newToken(name: string, options: NewCredential): Promise<number> {
  return addCredential('token', name, options, async () => {
    const token = makeToken();
    console.log(token);
    return { sha256: hashToken(token).toString('hex') };
  });
}
