import type { FastifyPluginAsync, FastifyRequest } from 'fastify';
import fastifyPlugin from 'fastify-plugin';
import type { HttpRole, Logger } from '../../../src/index.ts';
import { quoteText } from '../../../src/internal.ts';
import type { HttpOptions } from '../options.ts';
import { problem } from '../problem/problem.ts';
import { refuseUnreadableTarget } from '../server/request-target.ts';
import { writeAuditLines } from './audit.ts';
import { authenticate, authorize } from './authentication.ts';
import { callerDecorator } from './caller.ts';
import type { Credentials } from './credentials/open-credentials.ts';
import { checkHost, checkOrigin, isSafe } from './foreign-pages.ts';
import { cutSlowReader, limitRate, type OverloadGuard } from './limits.ts';

export interface GuardParts {
  readonly options: HttpOptions;
  readonly credentials: Credentials;
  /** Whether a token is the one of the other members of a cluster. */
  readonly isMember: (token: string) => boolean;
  readonly overload: OverloadGuard;
  readonly log: Logger;
  readonly stopping: AbortSignal;
  /** Milliseconds since 1970. */
  readonly now: () => number;
}

/** The checks that every request passes before it reaches its route, in this order. */
export function guard(parts: GuardParts): FastifyPluginAsync {
  const { options, credentials, isMember, overload, log, stopping, now } = parts;
  return fastifyPlugin(async (app) => {
    app.decorateRequest(callerDecorator, undefined);
    app.addHook('onRequest', checkHost(options.hosts));
    app.addHook('onRequest', unlessPublic(limitRate(options.limits.requests_per_second, now)));
    app.addHook('onRequest', unlessPublic(overload.check));
    app.addHook('onRequest', unlessPublic(authenticate(credentials, isMember)));
    app.addHook('onRequest', authorize);
    app.addHook('onRequest', checkOrigin);
    app.addHook('onRequest', refuseUnreadableTarget);
    app.addHook('onRequest', refuseEncoding);
    app.addHook('onSend', cutSlowReader(options.limits.send_ms));
    app.addHook('onRequest', async (request) => {
      if (stopping.aborted && !isSafe(request.method)) throw problem('HTTP_STOPPING', {});
    });
    writeAuditLines(app, log);
  });
}

type Check = (request: FastifyRequest) => Promise<void>;

/** Public routes answer the probes of a supervisor even when the collector is too busy for other clients. */
function unlessPublic(check: Check): Check {
  return async (request) => {
    const { role } = request.routeOptions.config as { readonly role?: HttpRole };
    if (role !== 'public') await check(request);
  };
}

/** Compressed bodies are refused: a few bytes could expand to gigabytes. */
async function refuseEncoding({ headers }: FastifyRequest): Promise<void> {
  const { 'content-encoding': encoding = 'identity' } = headers;
  if (encoding.toLowerCase() !== 'identity')
    throw problem('HTTP_CONTENT_ENCODING', { received: quoteText(encoding) });
}
