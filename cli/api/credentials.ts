import { env, stdin } from 'node:process';
import { createInterface } from 'node:readline/promises';
import {
  type CredentialKind,
  credentialFileOf,
  hashPassword,
  hashToken,
  httpStartFailure,
  isCredentialName,
  makePassword,
  makeToken,
  passwordLength,
  readCredentials,
  type StoredCredential,
  writeCredentials,
} from '../../plugins/http-api/commands.ts';
import { loadSetup } from '../../src/collector/index.ts';
import { suggestName } from '../../src/nearest-name.ts';
import { exitCodes } from '../terminal/exit-codes.ts';
import { formatTable } from '../terminal/table.ts';
import { parseWholeNumber } from '../terminal/whole-number.ts';

interface ConfigChoice {
  readonly config: string;
}

interface NewCredential extends ConfigChoice {
  readonly role: 'read' | 'operate' | 'admin';
  readonly days?: string;
}

/** `waywiser token new NAME`: prints the new token, and nothing else, to standard output, once it is stored. */
export async function newToken(name: string, options: NewCredential): Promise<number> {
  return addCredential('token', name, options, async () => {
    const token = makeToken();
    return { shown: token, stored: { sha256: hashToken(token).toString('hex') } };
  });
}

interface NewPassword extends NewCredential {
  readonly stdin?: boolean;
}

/** `waywiser password new NAME`: prints a generated password. A password from standard input is not printed. */
export async function newPassword(name: string, options: NewPassword): Promise<number> {
  return addCredential('password', name, options, async () => {
    const password = options.stdin === true ? await readPassword() : makePassword();
    const stored = { scrypt: await hashPassword(password) };
    return { shown: options.stdin === true ? undefined : password, stored };
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

interface MadeCredential<Kind extends CredentialKind> {
  /** Printed once it is stored. */
  readonly shown: string | undefined;
  readonly stored: Omit<StoredCredential<Kind>, 'name' | 'role' | 'expires'>;
}

/** Stores a new credential. `make` is called when everything else has been checked. */
async function addCredential<Kind extends CredentialKind>(
  kind: Kind,
  name: string,
  { config, role, days }: NewCredential,
  make: () => Promise<MadeCredential<Kind>>,
): Promise<number> {
  const path = await findFile(config, kind);
  const known = readCredentials(path, kind);
  if (!isCredentialName(name)) throw httpStartFailure('HTTP_CREDENTIAL_NAME_INVALID', { kind, name });
  if (known.some((each) => each.name === name)) {
    throw httpStartFailure('HTTP_CREDENTIAL_NAME_TAKEN', { kind, name });
  }
  const lastsDays =
    days === undefined ? undefined : parseWholeNumber(days, { option: '--days', least: 1, most: 99_999 });
  const expires =
    lastsDays === undefined ? {} : { expires: new Date(Date.now() + lastsDays * dayMs).toISOString() };
  const { shown, stored } = await make();
  const added = { name, role, ...stored, ...expires } as StoredCredential<Kind>;
  writeCredentials<Kind>(path, [...known, added]);
  if (shown !== undefined) console.log(shown);
  const first = `This is the first ${kind}. A collector that did not require authentication requires it from now on.`;
  console.error(
    [...(known.length === 0 ? [first] : []), 'A running collector accepts it within a second.'].join('\n'),
  );
  return exitCodes.done;
}

export async function listCredentials(kind: CredentialKind, { config }: ConfigChoice): Promise<number> {
  const rows = readCredentials(await findFile(config, kind), kind).map(
    ({ name, role, expires = 'never' }) => [name, role, expires],
  );
  console.log(formatTable(['name', 'role', 'expires'], rows));
  return exitCodes.done;
}

export async function removeCredential(
  kind: CredentialKind,
  name: string,
  { config }: ConfigChoice,
): Promise<number> {
  const path = await findFile(config, kind);
  const known = readCredentials(path, kind);
  const left = known.filter((each) => each.name !== name);
  if (left.length === known.length) {
    const names = known.map((each) => each.name);
    throw httpStartFailure('HTTP_CREDENTIAL_NAME_UNKNOWN', {
      kind,
      name,
      suggestion: suggestName(name, names),
    });
  }
  writeCredentials(path, left);
  return exitCodes.done;
}

const dayMs = 86_400_000;

async function findFile(config: string, kind: CredentialKind): Promise<string> {
  const { keys } = await loadSetup(config, { env });
  return credentialFileOf(keys.state_directory, kind);
}
