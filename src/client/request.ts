import { defineErrors, explainError } from '../kernel/errors.ts';
import { parseProblem } from './api-problem.ts';
import { clientErrors } from './errors.ts';

export interface ClientOptions {
  /** For example `http://127.0.0.1:8080`. */
  readonly baseUrl: string;
  /** Sent as a bearer token, only to this address. */
  readonly token?: string | undefined;
  /** Sent as HTTP basic authentication when there is no token. */
  readonly user?: { readonly name: string; readonly password: string } | undefined;
  /** The longest time for an answer, 90 seconds by default. It does not apply to event streams. */
  readonly timeoutMs?: number;
  /** Replaces the global fetch, for proxies or private certificate authorities. */
  readonly fetch?: typeof fetch;
}

export interface SentRequest {
  readonly method: string;
  /** The path after the base URL, with the query. */
  readonly path: string;
  readonly headers?: Readonly<Record<string, string>>;
  readonly body?: unknown;
  readonly signal?: AbortSignal | undefined;
}

const defaultTimeoutMs = 90_000;

/**
 * Sends a request. Resolves with the response when its status is a success; its body is not read yet. Rejects with an
 * ApiProblem, or with the code API_UNREACHABLE, API_TIMEOUT or API_ANSWER_STRANGE.
 */
export async function send(
  { baseUrl, token, user, fetch: fetchNow = fetch }: ClientOptions,
  { method, path, headers, body, signal }: SentRequest,
): Promise<Response> {
  const url = joinUrl(baseUrl, path);
  let response: Response;
  try {
    response = await fetchNow(url, {
      method,
      // A redirect would send the token to another host.
      redirect: 'error',
      headers: {
        accept: 'application/json, application/problem+json, text/event-stream',
        ...authorization(token, user),
        ...(body === undefined ? {} : { 'content-type': 'application/json' }),
        ...headers,
      },
      ...(body === undefined ? {} : { body: JSON.stringify(body) }),
      ...(signal === undefined ? {} : { signal }),
    });
  } catch (error) {
    signal?.throwIfAborted();
    const cause = isPlainHttp(error) ? undefined : error;
    throw clientFailure('API_UNREACHABLE', { url: baseUrl, reason: reasonOf(error) }, cause);
  }
  if (response.ok) return response;
  throw parseProblem(await response.text()) ?? strange(baseUrl, response);
}

/** Sends a request and reads the answer: JSON, text, or nothing. */
export async function ask(options: ClientOptions, request: SentRequest) {
  const { timeoutMs = defaultTimeoutMs, baseUrl } = options;
  const limit = AbortSignal.timeout(timeoutMs);
  const signal = request.signal === undefined ? limit : AbortSignal.any([limit, request.signal]);
  try {
    const response = await send(options, { ...request, signal });
    return { status: response.status, body: await readBody(response, baseUrl) };
  } catch (error) {
    if (limit.aborted && request.signal?.aborted !== true) {
      throw clientFailure('API_TIMEOUT', { url: baseUrl, timeoutMs });
    }
    throw error;
  }
}

const clientFailure = defineErrors(clientErrors);

async function readBody(response: Response, baseUrl: string): Promise<unknown> {
  const text = await response.text();
  const type = response.headers.get('content-type') ?? '';
  if (!type.startsWith('application/json')) return text === '' ? undefined : text;
  try {
    return JSON.parse(text);
  } catch {
    throw strange(baseUrl, response);
  }
}

function strange(url: string, { status }: Response): Error {
  return clientFailure('API_ANSWER_STRANGE', { url, status });
}

function authorization(token: string | undefined, user: ClientOptions['user']): Record<string, string> {
  if (token !== undefined) return { authorization: `Bearer ${token}` };
  if (user === undefined) return {};
  const octets = new TextEncoder().encode(`${user.name}:${user.password}`);
  return { authorization: `Basic ${btoa(String.fromCharCode(...octets))}` };
}

function joinUrl(baseUrl: string, path: string): string {
  return baseUrl.replace(/\/+$/, '') + path;
}

/** The error of fetch only says that it failed. The reason is in its cause. */
function reasonOf(error: unknown): string {
  if (isPlainHttp(error)) return 'it does not speak HTTPS';
  return explainError(error instanceof Error && error.cause !== undefined ? error.cause : error);
}

/** OpenSSL's own message names a line of its source code instead. */
function isPlainHttp(error: unknown): boolean {
  const cause = error instanceof Error ? error.cause : undefined;
  return cause instanceof Error && 'code' in cause && cause.code === 'ERR_SSL_WRONG_VERSION_NUMBER';
}
