import type { FastifyRequest } from 'fastify';
import { quoteText } from '../../../src/internal.ts';
import { problem } from '../problem/problem.ts';

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
