import type { FastifyRequest } from 'fastify';
import { type HttpRole, httpRoles } from '../../http-routes/service.ts';
import { problem } from '../problem/problem.ts';
import { type Caller, callerDecorator, callerOf } from './caller.ts';
import { isSafe } from './origin-check.ts';
import type { TokenStore } from './tokens/token-store.ts';

/** Finds out who asks. Without tokens everybody who can reach the API may do everything. */
export function authenticate(tokens: TokenStore | undefined): (request: FastifyRequest) => Promise<void> {
  return async (request) => {
    const { authorization } = request.headers;
    const caller: Caller | undefined =
      tokens === undefined
        ? { name: `anonymous at ${request.ip}`, role: 'admin' }
        : authorization === undefined
          ? undefined
          : findCaller(authorization, tokens);
    if (caller !== undefined) request.setDecorator(callerDecorator, caller);
  };
}

/** Refuses whoever may not do what the route does; a route that says nothing is for `read` or, if unsafe, for `admin`. */
export async function authorize(request: FastifyRequest): Promise<void> {
  const { role } = request.routeOptions.config as { readonly role?: HttpRole };
  const needed = role ?? (isSafe(request.method) ? 'read' : 'admin');
  const given = callerOf(request).role;
  if (httpRoles.indexOf(given) >= httpRoles.indexOf(needed)) return;
  if (given === 'public') throw problem('HTTP_TOKEN_MISSING', {});
  throw problem('HTTP_ROLE_TOO_LOW', { needed, given });
}

function findCaller(authorization: string, tokens: TokenStore): Caller {
  const [, token] = /^Bearer +([\w.~+/-]+=*) *$/i.exec(authorization) ?? [];
  const found = token === undefined ? undefined : tokens.find(token);
  if (found === undefined) throw problem('HTTP_TOKEN_UNKNOWN', {});
  return { name: found.name, role: found.role };
}
