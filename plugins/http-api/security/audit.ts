import type { FastifyInstance } from 'fastify';
import type { Logger } from '../../../src/index.ts';
import { callerOf } from './caller.ts';
import { isSafe } from './origin-check.ts';

/** One line for every request that may change something: who, what, and how it ended. Never a body or a header. */
export function writeAuditLines(app: FastifyInstance, log: Logger): void {
  app.addHook('onResponse', async (request, reply) => {
    const { method, url, ip } = request;
    if (isSafe(method)) return;
    const { name, role } = callerOf(request);
    const { statusCode: status, elapsedTime } = reply;
    const audit = {
      who: name,
      role,
      from: ip,
      method,
      url: url.slice(0, 200),
      status,
      ms: Math.round(elapsedTime),
    };
    log.info({ audit }, 'A request that may change something was answered.');
  });
}
