import { validateHeaderName, validateHeaderValue } from 'node:http';
import { defineErrors, type Static, type Type } from '../../../../src/index.ts';
import { httpOutputErrors } from '../errors.ts';
import type { posterOptions } from './poster-options.ts';

const failure = defineErrors(httpOutputErrors);

export type PosterOptions = Static<ReturnType<typeof Type.Object<typeof posterOptions>>>;

/** Throws for what is no URL, and for one with credentials: those would be in logs. */
export function readUrl(text: string): URL {
  if (!URL.canParse(text)) throw failure('OUTPUT_URL_INVALID', { url: shownUrl(text) });
  const url = new URL(text);
  if (url.username === '' && url.password === '') return url;
  throw failure('OUTPUT_URL_HAS_SECRET', { url: shownUrl(url.href) });
}

/** What a log may have of a URL, or of what was meant to be one: a parameter may be a key. */
function shownUrl(text: string): string {
  return text.replace(/\/\/.*@/s, '//…@').replace(/[?#].*/s, '');
}

/** The headers of every request; throws for one that cannot be sent, and for more or less than one way to authenticate. */
export function readHeaders(options: PosterOptions): Readonly<Record<string, string>> {
  checkLogin(options);
  const secrets = Object.entries(options.secret_headers).map(([name, secret]) => [name, secret.reveal()]);
  const headers: Record<string, string> = {
    'user-agent': 'waywiser',
    // Without it a server, or a proxy before it, may choose any.
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
  const shown = { url: shownUrl(url) };
  if (ways.length > 1) throw failure('OUTPUT_LOGIN_TWICE', { ...shown, ways: ways.join(' and ') });
  if (username === undefined && password !== undefined) throw failure('OUTPUT_PASSWORD_ALONE', shown);
}

/** All that must never be repeated in a message: secrets, and what is sent of them. */
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
