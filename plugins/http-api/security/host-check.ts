import { isIP } from 'node:net';
import type { FastifyRequest } from 'fastify';
import { problem } from '../problem/problem.ts';
import { shownText } from '../problem/shown-text.ts';

/**
 * Refuses requests that were meant for another host: a name that somebody let point at this collector must not open it
 * to the pages of that name. Addresses cannot be made to point elsewhere, so every address is taken.
 */
export function checkHost(names: readonly string[]): (request: FastifyRequest) => Promise<void> {
  const known = new Set(['localhost', ...names.map((name) => name.toLowerCase())]);
  return async ({ headers: { host = '' } }) => {
    const name = host.replace(/:\d{1,5}$/, '').toLowerCase();
    if (known.has(name) || isIP(name) !== 0 || isBracketed(name)) return;
    throw problem('HTTP_HOST_UNKNOWN', { received: shownText(host) });
  };
}

function isBracketed(name: string): boolean {
  return name.startsWith('[') && name.endsWith(']') && isIP(name.slice(1, -1)) === 6;
}
