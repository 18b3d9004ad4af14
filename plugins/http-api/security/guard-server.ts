import type { FastifyInstance } from 'fastify';
import type { Logger } from '../../../src/index.ts';
import type { HttpOptions } from '../options.ts';
import { problem } from '../problem/problem.ts';
import { writeAuditLines } from './audit.ts';
import { type Caller, callerDecorator } from './caller.ts';
import { checkHost } from './host-check.ts';
import { checkOrigin, isSafe } from './origin-check.ts';

export interface GuardParts {
  readonly options: HttpOptions;
  readonly log: Logger;
  readonly stopping: AbortSignal;
}

/** What every request passes before it reaches its route, in this order. */
export function guardServer(app: FastifyInstance, { options, log, stopping }: GuardParts): void {
  app.decorateRequest(callerDecorator, undefined);
  app.addHook('onRequest', checkHost(options.hosts));
  app.addHook('onRequest', async (request) => {
    const caller: Caller = { name: `anonymous at ${request.ip}`, role: 'admin' };
    request.setDecorator(callerDecorator, caller);
  });
  app.addHook('onRequest', checkOrigin);
  app.addHook('onRequest', async (request) => {
    if (stopping.aborted && !isSafe(request.method)) throw problem('HTTP_STOPPING', {});
  });
  writeAuditLines(app, log);
}
