import type { FastifyPluginAsync, FastifyRequest } from 'fastify';
import fastifyPlugin from 'fastify-plugin';
import { quoteText, stoppingProblem } from '../../../src/http/index.ts';
import type { Logger } from '../../../src/index.ts';
import type { HttpOptions } from '../options.ts';
import { problem } from '../problem/problem.ts';
import { writeAuditLines } from './audit.ts';
import { type Authentication, authorize } from './authentication.ts';
import { callerDecorator } from './caller.ts';
import { checkHost, checkOrigin, isSafe } from './foreign-pages.ts';
import { cutSlowReader, limitRate, type OverloadGuard } from './limits.ts';
import { refuseUnreadableTarget } from './request-target.ts';

export interface GuardParts {
  readonly options: HttpOptions;
  readonly authentication: Authentication;
  readonly overload: OverloadGuard;
  readonly log: Logger;
  readonly stopping: AbortSignal;
  /** Milliseconds since 1970. */
  readonly now: () => number;
}

/** The checks that every request passes before it reaches its route, in this order. */
export function guard(parts: GuardParts): FastifyPluginAsync {
  const { options, authentication, overload, log, stopping, now } = parts;
  return fastifyPlugin(async (app) => {
    app.decorateRequest(callerDecorator, undefined);
    app.addHook('onRequest', checkHost(options.hosts));
    app.addHook('onRequest', unlessProbe(limitRate(options.limits.requests_per_second, now)));
    app.addHook('onRequest', unlessProbe(overload.check));
    app.addHook('onRequest', unlessProbe(authentication.check));
    app.addHook('onRequest', authorize);
    app.addHook('onRequest', checkOrigin);
    app.addHook('onRequest', refuseUnreadableTarget);
    app.addHook('onRequest', refuseEncoding);
    app.addHook('onSend', cutSlowReader(options.limits.send_ms));
    app.addHook('onRequest', async (request) => {
      if (stopping.aborted && !isSafe(request.method)) throw stoppingProblem();
    });
    writeAuditLines(app, log);
  });
}

type Check = (request: FastifyRequest) => Promise<void>;

/** The probes of a supervisor are answered even when the collector is too busy for other clients. */
function unlessProbe(check: Check): Check {
  return async (request) => {
    const { isProbe } = request.routeOptions.config as { readonly isProbe?: boolean };
    if (isProbe !== true) await check(request);
  };
}

/** Compressed bodies are refused: a few bytes could expand to gigabytes. */
async function refuseEncoding({ headers }: FastifyRequest): Promise<void> {
  const { 'content-encoding': encoding = 'identity' } = headers;
  if (encoding.toLowerCase() !== 'identity')
    throw problem('HTTP_CONTENT_ENCODING', { received: quoteText(encoding) });
}
