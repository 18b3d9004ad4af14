import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { type Static, type TSchema, Type } from '../../../../src/index.ts';
import { replaceFile } from '../../../../src/storage/index.ts';
import { TypeCompiler } from '../../../../src/typebox.ts';
import { httpStartFailure } from '../start-failure.ts';
import { passwordSchema } from './stored-password.ts';
import { tokenSchema } from './stored-token.ts';

/** Each kind of credential has its own file in the state directory. */
export const credentialKinds = {
  token: { file: 'tokens.json', schema: tokenSchema },
  password: { file: 'passwords.json', schema: passwordSchema },
} as const satisfies Readonly<Record<string, { readonly file: string; readonly schema: TSchema }>>;

export type CredentialKind = keyof typeof credentialKinds;
export type StoredCredential<Kind extends CredentialKind> = Static<(typeof credentialKinds)[Kind]['schema']>;

export function credentialFileOf(stateDirectory: string, kind: CredentialKind): string {
  return join(stateDirectory, 'http-api', credentialKinds[kind].file);
}

/** The credentials of a file; none when there is no file. Throws when the file cannot be read. */
export function readCredentials<Kind extends CredentialKind>(
  path: string,
  kind: Kind,
): readonly StoredCredential<Kind>[] {
  const text = readIfThere(path, kind);
  if (text === undefined) return [];
  const found = parse(text);
  if (!TypeCompiler.Compile(Type.Array(credentialKinds[kind].schema)).Check(found)) {
    throw httpStartFailure('HTTP_CREDENTIALS_UNREADABLE', { kind, path });
  }
  return found as readonly StoredCredential<Kind>[];
}

/** Replaces the file atomically. Only its owner can read it. */
export function writeCredentials<Kind extends CredentialKind>(
  path: string,
  credentials: readonly StoredCredential<Kind>[],
): void {
  replaceFile(path, [`${JSON.stringify(credentials, undefined, 2)}\n`]);
}

function readIfThere(path: string, kind: CredentialKind): string | undefined {
  try {
    return readFileSync(path, 'utf8');
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === 'ENOENT') return undefined;
    throw httpStartFailure('HTTP_CREDENTIALS_UNREADABLE', { kind, path }, error);
  }
}

function parse(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
}
