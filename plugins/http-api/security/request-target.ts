import type { IncomingMessage } from 'node:http';
import type { FastifyRequest } from 'fastify';
import { problem } from '../problem/problem.ts';

/** RFC 9112, section 3.2.2: a request may contain the complete URL, as requests to proxies do. Every server must accept it. */
const absoluteForm = /^https?:\/\/([^/?#]*)/i;

/**
 * Replaces a path that cannot be decoded. The router would answer such a path before the checks of host, token and rate,
 * and without an audit line. `refuseUnreadableTarget` answers it after them.
 */
const substitute = '/';

/** The path and query by which the router finds the route. */
export function routeTarget({ url = '' }: IncomingMessage): string {
  const target = url.startsWith('/') ? url : withoutAuthority(url);
  return isReadable(target) ? target : substitute;
}

export async function refuseUnreadableTarget({ originalUrl, raw }: FastifyRequest): Promise<void> {
  if (originalUrl === raw.url || isReadable(withoutAuthority(originalUrl))) return;
  throw problem('HTTP_REQUEST_MALFORMED', { reason: 'the path is malformed' });
}

/** The host and port of a target in absolute form. */
export function authorityOf(target: string): string | undefined {
  return absoluteForm.exec(target)?.[1];
}

/** The decoded path of a target that can be decoded. */
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
