import type { FastifyRequest } from 'fastify';
import type { HttpRole, Logger } from '../../../src/index.ts';
import { httpRoles, isLoopback } from '../../../src/internal.ts';
import type { HttpOptions } from '../options.ts';
import { problem } from '../problem/problem.ts';
import { type Caller, callerDecorator, callerOf } from './caller.ts';
import type { Credentials, TokenStore } from './credentials/open-credentials.ts';
import type { PasswordStore } from './credentials/password-store.ts';
import { isSafe } from './foreign-pages.ts';
import { addressKey } from './limits.ts';
import { httpStartFailure } from './start-failure.ts';

/** Identifies the caller. While no credentials exist, every client that can reach the API has the role admin. */
export function authenticate(
  credentials: Credentials,
  isMember: (token: string) => boolean,
): (request: FastifyRequest) => Promise<void> {
  return async (request) => {
    const caller = credentials.areRequired()
      ? await findCaller(request, credentials, isMember)
      : {
          name: `anonymous at ${request.ip}`,
          role: 'admin' as const,
          isCurrent: () => !credentials.areRequired(),
        };
    if (caller !== undefined) request.setDecorator(callerDecorator, caller);
  };
}

/** Refuses a caller whose role is too low. Without `access`, a safe method needs `read`, any other method `admin`. */
export async function authorize(request: FastifyRequest): Promise<void> {
  const { role } = request.routeOptions.config as { readonly role?: HttpRole };
  const needed = role ?? (isSafe(request.method) ? 'read' : 'admin');
  const given = callerOf(request).role;
  if (httpRoles.indexOf(given) >= httpRoles.indexOf(needed)) return;
  if (given === 'public') throw problem('HTTP_TOKEN_MISSING', {});
  throw problem('HTTP_ROLE_TOO_LOW', { needed, given });
}

async function findCaller(
  { headers: { authorization }, ip }: FastifyRequest,
  { tokens, passwords }: Credentials,
  isMember: (token: string) => boolean,
): Promise<Caller | undefined> {
  if (authorization === undefined) return undefined;
  return /^basic /i.test(authorization)
    ? findPasswordOwner(authorization, ip, passwords)
    : findTokenOwner(authorization, tokens, isMember);
}

function findTokenOwner(
  authorization: string,
  tokens: TokenStore,
  isMember: (token: string) => boolean,
): Caller {
  const [, token] = /^Bearer +([\w.~+/-]+=*) *$/i.exec(authorization) ?? [];
  if (token !== undefined && isMember(token))
    return { name: 'a member of the cluster', role: 'admin', isCurrent: () => isMember(token) };
  const found = token === undefined ? undefined : tokens.find(token);
  if (found === undefined) throw problem('HTTP_TOKEN_UNKNOWN', {});
  return { name: found.name, role: found.role, isCurrent: () => tokens.isValid(found) };
}

/** RFC 7617: the first colon ends the name, so a password may contain colons. */
async function findPasswordOwner(
  authorization: string,
  ip: string,
  passwords: PasswordStore,
): Promise<Caller> {
  const [, encoded = ''] = /^basic +([\w+/-]+=*) *$/i.exec(authorization) ?? [];
  const text = Buffer.from(encoded, 'base64').toString('utf8');
  const colon = text.indexOf(':');
  if (colon < 1) throw problem('HTTP_PASSWORD_WRONG', {});
  const verdict = await passwords.verify(text.slice(0, colon), text.slice(colon + 1), addressKey(ip));
  if ('known' in verdict) {
    const { known } = verdict;
    return { name: known.name, role: known.role, isCurrent: () => passwords.isValid(known) };
  }
  if (verdict.refused === 'attempts') throw problem('HTTP_PASSWORD_ATTEMPTS', {});
  throw verdict.refused === 'busy' ? problem('HTTP_OVERLOADED', {}) : problem('HTTP_PASSWORD_WRONG', {});
}

/** Throws when other hosts could reach the API without authentication. */
export function checkExposure({ host, insecure }: HttpOptions, isProtected: boolean, log: Logger): void {
  if (isProtected || isLoopback(host)) return;
  if (!insecure) throw httpStartFailure('HTTP_UNPROTECTED', { host });
  log.warn(
    { host },
    'INSECURE: every client that reaches this address can control the collector. Create a token for http-api and remove `insecure`.',
  );
}
