import type { IncomingMessage } from 'node:http';
import { isIP, type Server, type Socket } from 'node:net';
import { networkInterfaces } from 'node:os';
import type { FastifyRequest } from 'fastify';
import { canChange, quoteText } from '../../../src/http/index.ts';
import { canonicalAddress } from '../../../src/model/index.ts';
import { problem } from '../problem/problem.ts';
import { callerOf } from './caller.ts';
import { authorityOf } from './request-target.ts';

/**
 * Refuses requests for another host (DNS rebinding): the owner of a name can let it point to this collector, and so let web
 * pages under that name send requests here. An address is accepted when the collector listens on it.
 */
export function checkHost(names: readonly string[]): (request: FastifyRequest) => Promise<void> {
  const known = new Set(['localhost', ...names.map(plainHost)]);
  const isOwnAddress = createAddressList();
  return async ({ headers, originalUrl, raw }) => {
    refuseUnclearHost(raw);
    for (const host of [headers.host ?? '', authorityOf(originalUrl)]) {
      if (host === undefined) continue;
      const name = plainHost(host.replace(/:\d{1,5}$/, ''));
      if (known.has(name) || (isIP(name) !== 0 && isOwnAddress(name, raw.socket))) continue;
      throw problem('HTTP_HOST_UNKNOWN', { received: quoteText(host) });
    }
  };
}

/** In lower case, and an address in its canonical form without brackets. */
function plainHost(host: string): string {
  const name = host.replace(/^\[(.*)\]$/, '$1');
  return canonicalAddress(name) ?? host.toLowerCase();
}

const refreshMs = 5_000;

/**
 * Whether a client that connected to `socket` may call this machine by an address: the one that it connected to, or any other when the
 * server listens on all. The interfaces are read again after a while, because addresses change.
 */
function createAddressList(): (address: string, socket: Socket) => boolean {
  let addresses: ReadonlySet<string> = new Set();
  let readMs = Number.NEGATIVE_INFINITY;
  return (address, socket) => {
    if (address === canonicalAddress(socket.localAddress ?? '')) return true;
    if (!listensOnAll(socket)) return false;
    const nowMs = performance.now();
    if (nowMs - readMs >= refreshMs) {
      const interfaces = Object.values(networkInterfaces()).flatMap((each) => each ?? []);
      addresses = new Set(interfaces.map((each) => canonicalAddress(each.address) ?? each.address));
      readMs = nowMs;
    }
    return addresses.has(address);
  };
}

function listensOnAll(socket: Socket): boolean {
  const { server } = socket as { readonly server?: Server };
  const bound = server?.address();
  return typeof bound === 'object' && bound !== null && ['0.0.0.0', '::'].includes(bound.address);
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

/** Whether a method is safe: it only reads. */
export function isSafe(method: string): boolean {
  return method === 'GET' || method === 'HEAD' || method === 'OPTIONS';
}

/**
 * Refuses requests that a page of another site makes a browser send. Other clients send neither of these headers; but one that is
 * authenticated by a cookie is a browser and must send one.
 */
export async function checkOrigin(request: FastifyRequest): Promise<void> {
  const isRead = isSafe(request.method);
  if (isRead && !canChange(request)) return;
  const { origin, host, 'sec-fetch-site': site } = request.headers;
  if (!isRead && origin === undefined && site !== 'same-origin' && callerOf(request).isByCookie === true) {
    throw problem('HTTP_ORIGIN_MISSING', {});
  }
  const isOwn = origin === undefined || origin === `http://${host}` || origin === `https://${host}`;
  if (isOwn && site !== 'cross-site' && site !== 'same-site') return;
  throw problem('HTTP_ORIGIN_REFUSED', { received: quoteText(origin ?? site) });
}
