import { randomUUID } from 'node:crypto';
import type { IncomingMessage } from 'node:http';

export const requestIdHeader = 'x-request-id';

/** Ids are written to logs, headers and answers without quoting, so they are short and have no special characters. */
const wellFormed = /^[\w.-]{1,64}$/;

/** The id that the client or a proxy sent with the request, if it is well-formed; otherwise a new one. */
export function createRequestId({ headers }: IncomingMessage): string {
  const received = headers[requestIdHeader];
  return typeof received === 'string' && wellFormed.test(received) ? received : randomUUID();
}
