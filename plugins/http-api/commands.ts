/** What the program needs of the API: its options, its files of credentials, and its routes inside the process. */

export { type HttpOptions, httpOptions } from './options.ts';
export {
  type CredentialKind,
  credentialFileOf,
  readCredentials,
  type StoredCredential,
  writeCredentials,
} from './security/credentials/credential-file.ts';
export { isCredentialName } from './security/credentials/stored-credential.ts';
export { hashPassword, makePassword, passwordLength } from './security/credentials/stored-password.ts';
export { hashToken, makeToken } from './security/credentials/stored-token.ts';
export { httpStartFailure } from './security/start-failure.ts';

/** The routes load the HTTP server, which few commands need. */
export const loadInProcessApi = () => import('./in-process-api.ts');
