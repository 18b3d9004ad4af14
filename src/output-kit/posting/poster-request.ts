import { validateHeaderName, validateHeaderValue } from 'node:http';
import { defineErrors } from '../../kernel/errors.ts';
import type { Static, Type } from '../../typebox.ts';
import { posterErrors } from './errors.ts';
import type { posterOptions } from './poster-options.ts';

const failure = defineErrors(posterErrors);

/** The values of `postingOptions` that `createPoster` uses. */
export type PosterOptions = Static<ReturnType<typeof Type.Object<typeof posterOptions>>>;

/** Throws for a text that is not a URL, and for a URL with credentials, which would appear in logs. */
export function readUrl(text: string): URL {
  if (!URL.canParse(text)) throw failure('OUTPUT_URL_INVALID', { url: text });
  const url = new URL(text);
  if (url.username === '' && url.password === '') return url;
  throw failure('OUTPUT_URL_HAS_SECRET', { url: url.href });
}

/**
 * Returns `text` with `path` added and parameters appended: `extendUrl(options.url, '/write', { db: 'snmp' })`. Undefined parameters are
 * left out. A text that is not a URL is returned as it is, so that `createPoster` reports it.
 */
export function extendUrl(
  text: string,
  path: string,
  parameters: Readonly<Record<string, string | undefined>>,
): string {
  if (!URL.canParse(text)) return text;
  const url = new URL(text);
  url.pathname = url.pathname.replace(/\/+$/, '') + path;
  for (const [name, value] of Object.entries(parameters)) {
    if (value !== undefined) url.searchParams.append(name, value);
  }
  return url.href;
}

/** The headers of every request. Throws for a header that cannot be sent, and for more than one login. */
export function readHeaders(options: PosterOptions): Readonly<Record<string, string>> {
  checkLogin(options);
  const secrets = Object.entries(options.secret_headers).map(([name, secret]) => [name, secret.reveal()]);
  const headers: Record<string, string> = {
    'user-agent': 'waywiser',
    // Without this header a server, or a proxy in front of it, may choose any encoding.
    'accept-encoding': 'identity',
    ...options.headers,
    ...Object.fromEntries(secrets),
    ...authorization(options),
  };
  for (const [name, value] of Object.entries(headers)) {
    try {
      validateHeaderName(name);
      validateHeaderValue(name, value);
    } catch {
      throw failure('OUTPUT_HEADER_INVALID', { header: name });
    }
  }
  return headers;
}

function checkLogin({
  url,
  token,
  username,
  password,
  headers,
  secret_headers: secrets,
}: PosterOptions): void {
  const names = [...Object.keys(headers), ...Object.keys(secrets)].map((name) => name.toLowerCase());
  const ways = [
    ...(token === undefined ? [] : ['token']),
    ...(username === undefined ? [] : ['username']),
    ...(names.includes('authorization') ? ['an Authorization header'] : []),
  ];
  const shown = { url };
  if (ways.length > 1) throw failure('OUTPUT_LOGIN_TWICE', { ...shown, ways: ways.join(' and ') });
  if (username === undefined && password !== undefined) throw failure('OUTPUT_PASSWORD_ALONE', shown);
}

/** Texts that must never appear in a message: the secrets, and the header values made of them. */
export function listSecrets(options: PosterOptions): string[] {
  const { token, password, secret_headers: secretHeaders } = options;
  const secrets = [token, password].flatMap((secret) => secret?.reveal() ?? []);
  const values = [...Object.values(secretHeaders).map((secret) => secret.reveal())];
  const sent = [...values, ...Object.values(authorization(options))];
  return [...secrets, ...sent, ...sent.map(withoutScheme)];
}

/** `Basic bWU6aHVudGVyMg==` → `bWU6aHVudGVyMg==`. */
function withoutScheme(value: string): string {
  return value.replace(/^\S+ +/, '');
}

function authorization({ token, username, password }: PosterOptions): Readonly<Record<string, string>> {
  if (token !== undefined) return { authorization: `Bearer ${token.reveal()}` };
  if (username === undefined) return {};
  const pair = `${username}:${password?.reveal() ?? ''}`;
  return { authorization: `Basic ${Buffer.from(pair).toString('base64')}` };
}
