import type { IncomingMessage } from 'node:http';
import { isIP } from 'node:net';
import type { FastifyRequest } from 'fastify';
import { quoteText } from '../../../src/internal.ts';
import { problem } from '../problem/problem.ts';
import { authorityOf } from '../server/request-target.ts';

/**
 * Refuses requests that were meant for another host: a name that somebody let point at this collector must not open it
 * to the pages of that name. Addresses cannot be made to point elsewhere, so every address is taken.
 */
export function checkHost(names: readonly string[]): (request: FastifyRequest) => Promise<void> {
  const known = new Set(['localhost', ...names.map((name) => name.toLowerCase())]);
  return async ({ headers, originalUrl, raw }) => {
    refuseUnclearHost(raw);
    for (const host of [headers.host ?? '', authorityOf(originalUrl)]) {
      if (host === undefined) continue;
      const name = host.replace(/:\d{1,5}$/, '').toLowerCase();
      if (known.has(name) || isIP(name) !== 0 || isBracketed(name)) continue;
      throw problem('HTTP_HOST_UNKNOWN', { received: quoteText(host) });
    }
  };
}

/** RFC 9112, section 3.2: whoever reads another one of several, or guesses one, would be asked for something else. */
function refuseUnclearHost({ rawHeaders, httpVersion }: IncomingMessage): void {
  let count = 0;
  for (let i = 0; i < rawHeaders.length; i += 2) if (rawHeaders[i]!.toLowerCase() === 'host') count++;
  if (count > 1) throw problem('HTTP_REQUEST_MALFORMED', { reason: 'it names several hosts' });
  if (count < 1 && httpVersion !== '1.0') {
    throw problem('HTTP_REQUEST_MALFORMED', { reason: 'it lacks the header "Host"' });
  }
}

function isBracketed(name: string): boolean {
  return name.startsWith('[') && name.endsWith(']') && isIP(name.slice(1, -1)) === 6;
}

/** Whether a method changes nothing. */
export function isSafe(method: string): boolean {
  return method === 'GET' || method === 'HEAD' || method === 'OPTIONS';
}

/** Refuses what a page of another site makes a browser send. Clients that are no browsers send neither header. */
export async function checkOrigin({ method, headers }: FastifyRequest): Promise<void> {
  if (isSafe(method)) return;
  const { origin, host, 'sec-fetch-site': site } = headers;
  const isOwn = origin === undefined || origin === `http://${host}` || origin === `https://${host}`;
  if (isOwn && site !== 'cross-site' && site !== 'same-site') return;
  throw problem('HTTP_ORIGIN_REFUSED', { received: quoteText(origin ?? site) });
}
