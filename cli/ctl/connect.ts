import { readFileSync } from 'node:fs';
import { ApiClient } from '../../src/client/index.ts';
import type { Environment } from '../../src/collector/index.ts';
import { systemReasonOf } from '../../src/kernel/system-reason.ts';
import { findConfig } from '../choose-set.ts';
import { cliFailure } from '../cli-errors.ts';
import { colours } from '../terminal/colours.ts';
import { plainText } from '../terminal/plain-text.ts';
import type { ConfiguredCollector } from './find-collector.ts';

/** The options that every `ctl` command takes. */
export interface ConnectOptions {
  readonly url?: string;
  readonly tokenFile?: string;
  readonly json?: boolean;
}

const defaultUrl = 'http://127.0.0.1:8080';

/**
 * A client for the collector that `--url` names, otherwise WAYWISER_URL, otherwise the waywiser.yml in the working directory. Before its
 * first request it says on stderr which collector answers, and warns where waywiser.yml is of another one. With `json` it only warns.
 */
export async function connectTold(options: ConnectOptions, env: Environment): Promise<ApiClient> {
  const named = options.url ?? env['WAYWISER_URL'];
  const configured = await findConfigured(named, env);
  const url = named ?? configured?.url ?? defaultUrl;
  let isTold = options.json === true && configured === undefined;
  const client = connect({ ...options, url }, env, async (input, init) => {
    if (!isTold) {
      isTold = true;
      // Where this fails, the request fails in the same way and says so.
      await tellCollector(client, url, configured, options).catch(() => {});
    }
    return fetch(input, init);
  });
  return client;
}

async function tellCollector(
  client: ApiClient,
  url: string,
  configured: ConfiguredCollector | undefined,
  { json }: ConnectOptions,
): Promise<void> {
  const { body } = await client.call('getCollector');
  const answering = `${plainText(body.instance)} at ${url}`;
  if (!json) console.error(colours.dim(`Collector ${answering}`));
  if (configured === undefined || configured.instance === body.instance) return;
  const { file, instance } = configured;
  const text = `Warning: the collector ${answering} answers, but ${file} is of the instance ${plainText(instance)}.`;
  console.error(colours.yellow(text));
}

async function findConfigured(
  named: string | undefined,
  env: Environment,
): Promise<ConfiguredCollector | undefined> {
  const file = findConfig({});
  if (file === undefined) return undefined;
  const { readConfiguredCollector } = await import('./find-collector.ts');
  try {
    return readConfiguredCollector(file, env);
  } catch (error) {
    // Where a URL is named, the file is only for the warning.
    if (named === undefined) throw error;
    return undefined;
  }
}

/**
 * A client for the collector that `--url` and `--token-file` name, otherwise WAYWISER_URL, WAYWISER_TOKEN_FILE and
 * WAYWISER_TOKEN, otherwise WAYWISER_USER and WAYWISER_PASSWORD. No option takes a secret: every user of a machine can read
 * its command lines.
 */
export function connect(
  { url, tokenFile }: ConnectOptions,
  env: Environment,
  ask: typeof fetch = fetch,
): ApiClient {
  const baseUrl = url ?? env['WAYWISER_URL'] ?? defaultUrl;
  if (!/^https?:\/\/[^?#]+$/.test(baseUrl) || !URL.canParse(baseUrl)) {
    throw cliFailure('CTL_URL_INVALID', { url: baseUrl });
  }
  const file = tokenFile ?? env['WAYWISER_TOKEN_FILE'];
  const token = file === undefined ? env['WAYWISER_TOKEN'] : readToken(file);
  const name = env['WAYWISER_USER'];
  const user = name === undefined ? undefined : { name, password: env['WAYWISER_PASSWORD'] ?? '' };
  return new ApiClient({ baseUrl, token, user, fetch: ask });
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
