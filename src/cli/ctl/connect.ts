import { readFileSync } from 'node:fs';
import { ApiClient } from '../../client/index.ts';
import type { Environment } from '../../collector/environment.ts';
import { systemReasonOf } from '../../kernel/system-reason.ts';
import { cliFailure } from '../cli-errors.ts';

/** The options that every `ctl` command takes. */
export interface ConnectOptions {
  readonly url?: string;
  readonly tokenFile?: string;
}

const defaultUrl = 'http://127.0.0.1:8080';

/**
 * A client for the collector that `--url` and `--token-file` name, otherwise WAYWISER_URL, WAYWISER_TOKEN_FILE and
 * WAYWISER_TOKEN, otherwise WAYWISER_USER and WAYWISER_PASSWORD. No option takes a secret: every user of a machine can read
 * its command lines.
 */
export function connect({ url, tokenFile }: ConnectOptions, env: Environment): ApiClient {
  const baseUrl = url ?? env['WAYWISER_URL'] ?? defaultUrl;
  if (!/^https?:\/\/[^/?#]+\/?$/.test(baseUrl) || !URL.canParse(baseUrl)) {
    throw cliFailure('CTL_URL_INVALID', { url: baseUrl });
  }
  const file = tokenFile ?? env['WAYWISER_TOKEN_FILE'];
  const token = file === undefined ? env['WAYWISER_TOKEN'] : readToken(file);
  const name = env['WAYWISER_USER'];
  const user = name === undefined ? undefined : { name, password: env['WAYWISER_PASSWORD'] ?? '' };
  return new ApiClient({ baseUrl, token, user });
}

function readToken(file: string): string {
  let text: string;
  try {
    text = readFileSync(file === '-' ? 0 : file, 'utf8');
  } catch (error) {
    throw cliFailure('CTL_TOKEN_UNREADABLE', { file, reason: systemReasonOf(error) });
  }
  const [token = ''] = text.split(/\r?\n/);
  if (token.trim() === '') throw cliFailure('CTL_TOKEN_EMPTY', { file });
  return token.trim();
}
