import { env } from 'node:process';
import { httpStartFailure } from '../../../plugins/http-api/security/start-failure.ts';
import {
  hashToken,
  makeToken,
  type StoredToken,
} from '../../../plugins/http-api/security/tokens/stored-token.ts';
import {
  readTokens,
  tokenFileOf,
  writeTokens,
} from '../../../plugins/http-api/security/tokens/token-file.ts';
import { suggestName } from '../../nearest-name.ts';
import { loadSetup } from '../run/collector-setup.ts';
import { exitCodes } from '../terminal/exit-codes.ts';
import { formatTable } from '../terminal/table.ts';

interface ConfigChoice {
  readonly config: string;
}

/** `waywiser token new NAME`: only the token goes to standard output. */
export async function newToken(
  name: string,
  { config, role, days }: ConfigChoice & { readonly role: StoredToken['role']; readonly days?: string },
): Promise<number> {
  const path = await findFile(config);
  const tokens = readTokens(path);
  if (!/^[\w.@-]{1,64}$/.test(name)) throw httpStartFailure('HTTP_TOKEN_NAME_INVALID', { name });
  if (tokens.some((each) => each.name === name)) throw httpStartFailure('HTTP_TOKEN_NAME_TAKEN', { name });
  if (days !== undefined && !/^[1-9]\d{0,4}$/.test(days)) {
    console.error(`--days must be a whole number from 1 to 99999; received ${days}.`);
    return exitCodes.usage;
  }
  const token = makeToken();
  const expires =
    days === undefined ? {} : { expires: new Date(Date.now() + Number(days) * dayMs).toISOString() };
  writeTokens(path, [...tokens, { name, role, sha256: hashToken(token).toString('hex'), ...expires }]);
  console.log(token);
  console.error(
    tokens.length === 0
      ? 'This is the first token: a collector that runs without any asks for it after a restart.'
      : 'A running collector takes it within a second.',
  );
  return exitCodes.done;
}

export async function listTokens({ config }: ConfigChoice): Promise<number> {
  const rows = readTokens(await findFile(config)).map(({ name, role, expires = 'never' }) => [
    name,
    role,
    expires,
  ]);
  console.log(formatTable(['name', 'role', 'expires'], rows));
  return exitCodes.done;
}

export async function removeToken(name: string, { config }: ConfigChoice): Promise<number> {
  const path = await findFile(config);
  const tokens = readTokens(path);
  const left = tokens.filter((each) => each.name !== name);
  if (left.length === tokens.length) {
    const suggestion = suggestName(
      name,
      tokens.map((each) => each.name),
    );
    throw httpStartFailure('HTTP_TOKEN_NAME_UNKNOWN', { name, suggestion });
  }
  writeTokens(path, left);
  return exitCodes.done;
}

const dayMs = 86_400_000;

async function findFile(config: string): Promise<string> {
  const { keys } = await loadSetup(config, env);
  return tokenFileOf(keys.state_directory);
}
