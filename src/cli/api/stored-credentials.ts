import { env } from 'node:process';
import {
  type CredentialKind,
  credentialFileOf,
  readCredentials,
  type StoredCredential,
  writeCredentials,
} from '../../../plugins/http-api/security/credentials/credential-file.ts';
import { isCredentialName } from '../../../plugins/http-api/security/credentials/stored-credential.ts';
import { httpStartFailure } from '../../../plugins/http-api/security/start-failure.ts';
import { loadSetup } from '../../collector/collector-setup.ts';
import { suggestName } from '../../nearest-name.ts';
import { exitCodes } from '../terminal/exit-codes.ts';
import { formatTable } from '../terminal/table.ts';
import { parseWholeNumber } from '../terminal/whole-number.ts';

export interface ConfigChoice {
  readonly config: string;
}

export interface NewCredential extends ConfigChoice {
  readonly role: 'read' | 'operate' | 'admin';
  readonly days?: string;
}

/** Keeps a new credential of `name`; what is only its own comes from `make`, once everything else is right. */
export async function addCredential<Kind extends CredentialKind>(
  kind: Kind,
  name: string,
  { config, role, days }: NewCredential,
  make: () => Promise<Omit<StoredCredential<Kind>, 'name' | 'role' | 'expires'>>,
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
  const added = { name, role, ...(await make()), ...expires } as StoredCredential<Kind>;
  writeCredentials<Kind>(path, [...known, added]);
  const first = `This is the first ${kind}: a collector that asked for none asks everybody for one from now on.`;
  console.error(
    [...(known.length === 0 ? [first] : []), 'A running collector takes it within a second.'].join('\n'),
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
