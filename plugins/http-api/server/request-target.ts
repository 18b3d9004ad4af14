import type { IncomingMessage } from 'node:http';
import type { FastifyRequest } from 'fastify';
import { problem } from '../problem/problem.ts';

/** RFC 9112, section 3.2.2: a request may name the whole address, as those to proxies do, and every server takes it. */
const absoluteForm = /^https?:\/\/([^/?#]*)/i;

/**
 * Where a request goes whose path cannot be read: the router would answer it before any check, and so without Host,
 * token, rate or audit line. `refuseUnreadableTarget` answers it behind them.
 */
const elsewhere = '/';

/** The path and the query that the router goes by. */
export function routeTarget({ url = '' }: IncomingMessage): string {
  const target = url.startsWith('/') ? url : withoutAuthority(url);
  return isReadable(target) ? target : elsewhere;
}

export async function refuseUnreadableTarget({ originalUrl, raw }: FastifyRequest): Promise<void> {
  if (originalUrl === raw.url || isReadable(withoutAuthority(originalUrl))) return;
  throw problem('HTTP_REQUEST_MALFORMED', { reason: 'the path is malformed' });
}

/** The host and port that a target in absolute form names. */
export function authorityOf(target: string): string | undefined {
  return absoluteForm.exec(target)?.[1];
}

/** The path as the router compares it, of a target that can be read. */
export function decodedPathOf(target: string): string {
  return decodeURI(rawPathOf(target));
}

function withoutAuthority(target: string): string {
  const rest = target.replace(absoluteForm, '');
  return rest === '' || rest.startsWith('?') ? `/${rest}` : rest;
}

function isReadable(target: string): boolean {
  if (!target.startsWith('/')) return false;
  const path = rawPathOf(target);
  if (!path.includes('%')) return true;
  try {
    decodeURI(path);
    return true;
  } catch {
    return false;
  }
}

function rawPathOf(target: string): string {
  return target.split(/[?#]/, 1).join();
}
