import { randomUUID } from 'node:crypto';
import type { IncomingMessage } from 'node:http';

export const requestIdHeader = 'x-request-id';

/** An id stands in logs, headers and answers as it is, so it is short and has no character that means something there. */
const wellFormed = /^[\w.-]{1,64}$/;

/** The id that the client, or a proxy in front of the collector, gave the request; a new one when it gave none or a bad one. */
export function createRequestId({ headers }: IncomingMessage): string {
  const received = headers[requestIdHeader];
  return typeof received === 'string' && wellFormed.test(received) ? received : randomUUID();
}
