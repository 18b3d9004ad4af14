import type { IncomingHttpHeaders } from 'node:http';
import { connectionFailure } from '../../connection/connection-failure.ts';
import { PermanentError } from '../../pipeline/permanent-error.ts';

export interface PostAnswer {
  readonly status: number;
  readonly headers: IncomingHttpHeaders;
  readonly body: Buffer;
}

/** Thrown when the server has answered that it will never accept this body. `GroupSender` then tries smaller parts. */
export class Refusal extends PermanentError {
  readonly status: number;

  constructor(message: string, status: number) {
    super(message);
    this.status = status;
  }
}

/** The error for a status that is about the login or the path and not about the body. Undefined for all other statuses. */
export function findAccessFailure(status: number, url: URL, message: string): Error | undefined {
  const server = url.origin;
  const place = url.pathname;
  const cause = new Error(message);
  switch (status) {
    case 401:
    case 407:
      return connectionFailure('SERVER_REFUSED_LOGIN', { server }, cause);
    case 403:
      return connectionFailure('SERVER_FORBIDS', { server, place }, cause);
    case 404:
      return connectionFailure('SERVER_LACKS_PLACE', { server, place }, cause);
    default:
      // A redirect, or a path that accepts no POST.
      return (status >= 300 && status < 400) || status === 405 ? cause : undefined;
  }
}

/** A longer pause is taken for a mistake of the server. */
const maxPauseMs = 600_000;

/** How long a Retry-After header asks to wait, in seconds or until a date. Undefined where the header cannot be read. */
export function readRetryAfter(header: string | undefined, nowMs: number): number | undefined {
  const text = header?.trim() ?? '';
  const pauseMs = /^\d{1,9}$/.test(text) ? Number(text) * 1000 : Date.parse(text) - nowMs;
  return Number.isNaN(pauseMs) ? undefined : Math.min(Math.max(pauseMs, 0), maxPauseMs);
}

/** Enough of a server's message for a log line. */
const maxQuoteLength = 300;

/** The beginning of a foreign text in quotes: on one line, without control characters or changes of direction. Empty for no text. */
export function quoteText(text: string): string {
  if (text === '') return '';
  return JSON.stringify(text.slice(0, maxQuoteLength)).replace(
    /[\p{Cc}\p{Cf}\u2028\u2029]/gu,
    (character) => `\\u{${character.codePointAt(0)!.toString(16)}}`,
  );
}
