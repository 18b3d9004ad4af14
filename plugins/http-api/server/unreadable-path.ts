import type { IncomingMessage } from 'node:http';
import type { FastifyRequest } from 'fastify';
import { problem } from '../problem/problem.ts';

/**
 * Where a request goes whose path cannot be decoded: the router would answer it before any check, and so without Host,
 * token, rate or audit line. `refuseUnreadablePath` answers it behind them.
 */
const elsewhere = '/';

export function divertUnreadablePath({ url = '' }: IncomingMessage): string {
  const [path = ''] = url.split(/[?#]/, 1);
  if (!path.includes('%')) return url;
  try {
    decodeURI(path);
    return url;
  } catch {
    return elsewhere;
  }
}

export async function refuseUnreadablePath({ originalUrl, raw }: FastifyRequest): Promise<void> {
  if (originalUrl !== raw.url) throw problem('HTTP_REQUEST_MALFORMED', { reason: 'the path is malformed' });
}
