import type { IncomingMessage } from 'node:http';
import { isIP } from 'node:net';
import type { FastifyRequest } from 'fastify';
import { quoteText } from '../../../src/internal.ts';
import { problem } from '../problem/problem.ts';
import { authorityOf } from '../server/request-target.ts';

/**
 * Refuses requests for another host (DNS rebinding): the owner of a name can let it point to this collector, and so let web
 * pages under that name send requests here. An address cannot be redirected like this, so every address is accepted.
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

/** RFC 9112, section 3.2: with several Host headers or none, a proxy and the collector could disagree about the host. */
function refuseUnclearHost({ rawHeaders, httpVersion }: IncomingMessage): void {
  let count = 0;
  for (let i = 0; i < rawHeaders.length; i += 2) if (rawHeaders[i]!.toLowerCase() === 'host') count++;
  if (count > 1) throw problem('HTTP_REQUEST_MALFORMED', { reason: 'it has several Host headers' });
  if (count < 1 && httpVersion !== '1.0') {
    throw problem('HTTP_REQUEST_MALFORMED', { reason: 'it has no Host header' });
  }
}

function isBracketed(name: string): boolean {
  return name.startsWith('[') && name.endsWith(']') && isIP(name.slice(1, -1)) === 6;
}

/** Whether a method is safe: it only reads. */
export function isSafe(method: string): boolean {
  return method === 'GET' || method === 'HEAD' || method === 'OPTIONS';
}

/** Refuses requests that a page of another site makes a browser send. Other clients send neither of these headers. */
export async function checkOrigin({ method, headers }: FastifyRequest): Promise<void> {
  if (isSafe(method)) return;
  const { origin, host, 'sec-fetch-site': site } = headers;
  const isOwn = origin === undefined || origin === `http://${host}` || origin === `https://${host}`;
  if (isOwn && site !== 'cross-site' && site !== 'same-site') return;
  throw problem('HTTP_ORIGIN_REFUSED', { received: quoteText(origin ?? site) });
}
