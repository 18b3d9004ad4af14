import type { FastifyRequest } from 'fastify';
import { hasRole, httpRoles, roleHeader } from '../../../src/http/index.ts';
import type { HttpRole, Logger } from '../../../src/index.ts';
import { isLoopback } from '../../../src/model/index.ts';
import type { HttpCaller, HttpCallers } from '../../http-routes/service.ts';
import type { HttpOptions } from '../options.ts';
import { problem } from '../problem/problem.ts';
import { type Caller, callerDecorator, callerOf } from './caller.ts';
import type { Credentials, TokenStore } from './credentials/open-credentials.ts';
import type { PasswordStore } from './credentials/password-store.ts';
import { isSafe } from './foreign-pages.ts';
import { addressKey } from './limits.ts';
import { httpStartFailure } from './start-failure.ts';

/** Identifies callers: by the header Authorization, or as plugins recognize them by a cookie. */
export class Authentication implements HttpCallers {
  readonly #credentials: Credentials;
  readonly #isMember: (token: string) => boolean;
  readonly #finders: Parameters<HttpCallers['recognize']>[0][] = [];

  /** `isMember`: whether a token is the one of the other members of a cluster. */
  constructor(credentials: Credentials, isMember: (token: string) => boolean) {
    this.#credentials = credentials;
    this.#isMember = isMember;
  }

  /** While no credentials exist, every client that can reach the API has the role admin. */
  readonly check = async (request: FastifyRequest): Promise<void> => {
    if (!this.areRequired()) {
      const name = `anonymous at ${request.ip}`;
      setCaller(request, { name, role: 'admin', isCurrent: () => !this.areRequired() });
      return;
    }
    const { authorization } = request.headers;
    if (authorization !== undefined) await this.identify(request, authorization);
    else this.#recognize(request);
  };

  areRequired(): boolean {
    return this.#credentials.areRequired();
  }

  of(request: FastifyRequest): HttpCaller {
    return callerOf(request);
  }

  async identify(request: FastifyRequest, authorization: string): Promise<HttpCaller> {
    const { tokens, passwords } = this.#credentials;
    const caller = /^basic /i.test(authorization)
      ? await findPasswordOwner(authorization, request.ip, passwords)
      : findTokenOwner(authorization, tokens, this.#isMember, request.headers[roleHeader]);
    setCaller(request, caller);
    return caller;
  }

  recognize(find: Parameters<HttpCallers['recognize']>[0]): void {
    this.#finders.push(find);
  }

  #recognize(request: FastifyRequest): void {
    for (const find of this.#finders) {
      const caller = find(request);
      if (caller === undefined) continue;
      setCaller(request, { ...caller, isByCookie: true });
      return;
    }
  }
}

function setCaller(request: FastifyRequest, caller: Caller): void {
  request.setDecorator(callerDecorator, caller);
}

/** Refuses a caller whose role is too low. Without `access`, a safe method needs `read`, any other method `admin`. */
export async function authorize(request: FastifyRequest): Promise<void> {
  const { role } = request.routeOptions.config as { readonly role?: HttpRole };
  const needed = role ?? (isSafe(request.method) ? 'read' : 'admin');
  const given = callerOf(request).role;
  if (hasRole(given, needed)) return;
  if (given === 'public') throw problem('HTTP_TOKEN_MISSING', {});
  throw problem('HTTP_ROLE_TOO_LOW', { needed, given });
}

function findTokenOwner(
  authorization: string,
  tokens: TokenStore,
  isMember: (token: string) => boolean,
  passedRole: unknown,
): Caller {
  const [, token] = /^Bearer +([\w.~+/-]+=*) *$/i.exec(authorization) ?? [];
  if (token !== undefined && isMember(token))
    return {
      name: 'a member of the cluster',
      role: memberRole(passedRole),
      isCurrent: () => isMember(token),
    };
  const found = token === undefined ? undefined : tokens.find(token);
  if (found === undefined) throw problem('HTTP_TOKEN_UNKNOWN', {});
  return { name: found.name, role: found.role, isCurrent: () => tokens.isValid(found) };
}

/** A member passes on the role of its own caller. What it asks for itself has no such role. */
function memberRole(passed: unknown): HttpRole {
  return passed === undefined ? 'admin' : (httpRoles.find((role) => role === passed) ?? 'public');
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
