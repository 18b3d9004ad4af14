import { type IncomingHttpHeaders, request as plainRequest } from 'node:http';
import { request as secureRequest } from 'node:https';
import { setTimeout as sleep } from 'node:timers/promises';
import { promisify } from 'node:util';
import { constants, gzip as gzipBytes } from 'node:zlib';
import type { Logger } from '../../../../src/index.ts';
import { nameConnectionFailure } from '../../../../src/internal.ts';
import { findAccessFailure } from './access-failure.ts';
import { KeptAgent } from './kept-agent.ts';
import { listSecrets, type PosterOptions, readHeaders, readUrl } from './poster-parts.ts';
import { quoteText } from './quoted-text.ts';
import { Refusal } from './refusal.ts';
import { readRetryAfter } from './retry-after.ts';

const gzip = promisify(gzipBytes);
/** Malformed, too large, unprocessable: all that says something about the body itself. */
const lasting = new Set([400, 413, 422]);
const usualAnswerBytes = 16_384;
/** A longer pause is the delivery's to wait for, which says meanwhile what it waits for. */
const maxPauseMs = 5_000;

export interface Post {
  readonly body: Uint8Array;
  readonly contentType: string;
  /** How the body is encoded already; without it the poster compresses it where its options say so. */
  readonly contentEncoding?: string;
  readonly headers?: Readonly<Record<string, string>>;
  /** Statuses beside 2xx that the caller wants to see as answers. */
  readonly expected?: ReadonlySet<number> | undefined;
}

export interface Answer {
  readonly status: number;
  readonly headers: IncomingHttpHeaders;
  readonly body: Buffer;
}

/** Sends bodies to one URL, one at a time, over one connection that is kept open. */
export interface Poster {
  /**
   * Resolves to the answer when the other side has taken the body (2xx). Throws a `Refusal` for what it will never take, and
   * another error for what may pass: what is wrong with the way there and with who asks always may, as somebody may mend it. No
   * request leaves before the time that Retry-After asks for.
   */
  post(post: Post, signal: AbortSignal): Promise<Answer>;
  /** What the other side says, as a log may have it: the first words in quotes; nothing where it repeats a secret. */
  quote(text: string): string;
  close(): void;
}

export interface PosterSettings {
  readonly log: Logger;
  /** Answers are kept up to here; a longer one is cut, or an error where it must be read whole. */
  readonly maxAnswerBytes?: number;
  /** Whether the same body may be taken another time, by the status that refused it; all but 400, 413 and 422 without it. */
  readonly mayPass?: (status: number) => boolean;
  readonly now?: () => number;
}

/** Throws when the URL, a header or a TLS file is not what it should be. */
export function createPoster(
  options: PosterOptions & { readonly gzip?: boolean },
  {
    log,
    maxAnswerBytes = usualAnswerBytes,
    mayPass = (status) => !lasting.has(status),
    now = Date.now,
  }: PosterSettings,
): Poster {
  const url = readUrl(options.url);
  const place = `${url.origin}${url.pathname}`;
  const secrets = listSecrets(options);
  const fixed = readHeaders(options);
  const agent = new KeptAgent(url, options.tls, log);
  let notBeforeMs = 0;
  let askedBy: Error | undefined;
  const quote = (text: string) => (secrets.some((secret) => text.includes(secret)) ? '' : quoteText(text));

  const send = (headers: Readonly<Record<string, string | number>>, body: Uint8Array, signal: AbortSignal) =>
    new Promise<Answer>((resolve, reject) => {
      const start = url.protocol === 'https:' ? secureRequest : plainRequest;
      const request = start(url, { method: 'POST', headers, agent: agent.get(), signal }, (response) => {
        const chunks: Buffer[] = [];
        let length = 0;
        response.on('data', (chunk: Buffer) => {
          if (length < maxAnswerBytes) chunks.push(chunk.subarray(0, maxAnswerBytes - length));
          length += chunk.length;
        });
        response.on('error', reject).on('end', () => {
          resolve({
            status: response.statusCode ?? 0,
            headers: response.headers,
            body: Buffer.concat(chunks),
          });
        });
      });
      request.on('error', reject).end(body);
    });

  return {
    async post({ body: plain, contentType, contentEncoding, headers: own, expected }, signal) {
      const waitMs = notBeforeMs - now();
      if (waitMs > maxPauseMs) {
        const seconds = Math.ceil(waitMs / 1000);
        throw new Error(`${place} wants no request for another ${seconds} s`, { cause: askedBy });
      }
      if (waitMs > 0) await sleep(waitMs, undefined, { signal });
      const packs = contentEncoding === undefined && options.gzip === true;
      const body = packs ? await gzip(plain, { level: constants.Z_BEST_SPEED }) : plain;
      const encoding = packs ? 'gzip' : contentEncoding;
      const headers = {
        ...fixed,
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
