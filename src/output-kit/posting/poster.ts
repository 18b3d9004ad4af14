import { type OutgoingHttpHeaders, request as plainRequest, type RequestOptions } from 'node:http';
import { request as secureRequest } from 'node:https';
import { setTimeout as sleep } from 'node:timers/promises';
import { promisify } from 'node:util';
import { constants, gzip as gzipBytes } from 'node:zlib';
import { nameConnectionFailure } from '../../connection/connection-failure.ts';
import type { Logger } from '../../kernel/logger.ts';
import { KeptAgent } from './kept-agent.ts';
import { findAccessFailure, type PostAnswer, quoteText, Refusal, readRetryAfter } from './poster-answer.ts';
import { listSecrets, type PosterOptions, readHeaders, readUrl } from './poster-request.ts';

const gzip = promisify(gzipBytes);
/** Malformed, too large, unprocessable: the statuses that are about the body itself. */
const bodyStatuses = new Set([400, 413, 422]);
const usualAnswerBytes = 16_384;
/** A longer pause becomes an error, so that the delivery waits and reports what it waits for. */
const maxPauseMs = 5_000;

export interface Post {
  readonly body: Uint8Array;
  readonly contentType: string;
  /** How the body is already encoded. Without it, the poster compresses the body if the option `gzip` says so. */
  readonly contentEncoding?: string;
  readonly headers?: Readonly<Record<string, string>>;
  /** Statuses beside 2xx that resolve to an answer instead of an error. */
  readonly expected?: ReadonlySet<number> | undefined;
}

/** Posts bodies to one URL, one at a time, over one connection that stays open. */
export interface Poster {
  /**
   * Resolves to the answer when the server has accepted the body (2xx). Throws a `Refusal` when the server will never accept it, and
   * any other error when a retry may succeed. Failures of the connection and of the login count as such, because the operator may
   * correct them. No request is sent before the time that Retry-After asks for.
   */
  post(post: Post, signal: AbortSignal): Promise<PostAnswer>;
  /** Makes a message of the server safe for a log: its beginning in quotes. Empty when it repeats a secret. */
  quote(text: string): string;
  close(): void;
}

export interface PosterSettings {
  readonly log: Logger;
  /** Longer answers are cut. 16 KiB by default. */
  readonly maxAnswerBytes?: number;
  /** Whether a retry of the same body may succeed after this status. By default all but 400, 413 and 422. */
  readonly mayPass?: (status: number) => boolean;
  readonly now?: () => number;
}

/** Makes a poster from the values of `postingOptions`. Throws when the URL, a header, the login or a TLS file is wrong. */
export function createPoster(
  options: PosterOptions & { readonly gzip?: boolean },
  {
    log,
    maxAnswerBytes = usualAnswerBytes,
    mayPass = (status) => !bodyStatuses.has(status),
    now = Date.now,
  }: PosterSettings,
): Poster {
  const url = readUrl(options.url);
  const place = `${url.origin}${url.pathname}`;
  // A server may repeat a parameter of the URL, which may be a key.
  const inUrl = url.search
    .slice(1)
    .split('&')
    .filter((pair) => pair.includes('='));
  const secrets = new Set([...inUrl, ...listSecrets(options)]);
  /** Secrets may have changed since the last request. */
  const login = () => {
    for (const secret of listSecrets(options)) secrets.add(secret);
    return readHeaders(options);
  };
  login();
  const agent = new KeptAgent(url, options.tls, log);
  let notBeforeMs = 0;
  let askedBy: Error | undefined;
  const quote = (text: string) =>
    [...secrets].some((secret) => text.includes(secret)) ? '' : quoteText(text);

  const send = (headers: OutgoingHttpHeaders, body: Uint8Array, signal: AbortSignal) =>
    sendPost(url, { method: 'POST', headers, agent: agent.get(), signal }, { body, maxAnswerBytes });

  return {
    async post({ body: plain, contentType, contentEncoding, headers: own, expected }, signal) {
      const waitMs = notBeforeMs - now();
      if (waitMs > maxPauseMs) {
        const seconds = Math.ceil(waitMs / 1000);
        throw new Error(`${place} asked to wait another ${seconds} s before the next request`, {
          cause: askedBy,
        });
      }
      if (waitMs > 0) await sleep(waitMs, undefined, { signal });
      const packs = contentEncoding === undefined && options.gzip === true;
      const body = packs ? await gzip(plain, { level: constants.Z_BEST_SPEED }) : plain;
      const encoding = packs ? 'gzip' : contentEncoding;
      const headers = {
        ...login(),
        ...own,
        'content-type': contentType,
        'content-length': body.length,
        ...(encoding === undefined ? {} : { 'content-encoding': encoding }),
      };
      const answer = await within(options.timeout_ms, signal, (limited) =>
        send(headers, body, limited),
      ).catch((error: unknown) => {
        throw nameConnectionFailure(url.origin, error);
      });
      const { status } = answer;
      if ((status >= 200 && status < 300) || expected?.has(status) === true) return answer;
      const said = quote(answer.body.toString().trim());
      const message = `${place} answered ${status}${said === '' ? '' : `: ${said}`}`;
      const denied = findAccessFailure(status, url, message);
      if (denied === undefined && !mayPass(status)) throw new Refusal(message, status);
      notBeforeMs = now() + (readRetryAfter(answer.headers['retry-after'], now()) ?? 0);
      askedBy = denied ?? new Error(message);
      throw askedBy;
    },
    quote,
    close: () => agent.close(),
  };
}

function sendPost(
  url: URL,
  options: RequestOptions,
  { body, maxAnswerBytes }: { readonly body: Uint8Array; readonly maxAnswerBytes: number },
): Promise<PostAnswer> {
  return new Promise((resolve, reject) => {
    const start = url.protocol === 'https:' ? secureRequest : plainRequest;
    const request = start(url, options, (response) => {
      const chunks: Buffer[] = [];
      let length = 0;
      response.on('data', (chunk: Buffer) => {
        if (length < maxAnswerBytes) chunks.push(chunk.subarray(0, maxAnswerBytes - length));
        length += chunk.length;
      });
      response.on('error', reject).on('end', () => {
        resolve({ status: response.statusCode ?? 0, headers: response.headers, body: Buffer.concat(chunks) });
      });
    });
    request.on('error', reject).end(body);
  });
}

async function within<T>(
  timeoutMs: number,
  signal: AbortSignal,
  work: (signal: AbortSignal) => Promise<T>,
): Promise<T> {
  const controller = new AbortController();
  const abort = () => controller.abort(signal.reason);
  const timer = setTimeout(() => controller.abort(), timeoutMs);
  if (signal.aborted) abort();
  else signal.addEventListener('abort', abort, { once: true });
  try {
    return await work(controller.signal);
  } catch (error) {
    if (controller.signal.aborted && !signal.aborted) {
      throw new Error(`no answer within ${timeoutMs} ms`, { cause: error });
    }
    throw error;
  } finally {
    clearTimeout(timer);
    signal.removeEventListener('abort', abort);
  }
}
