import type { FastifyInstance } from 'fastify';
import { auditedDevice } from '../../../src/http/index.ts';
import type { DeviceRef, Logger } from '../../../src/index.ts';
import { callerOf } from './caller.ts';
import { isSafe } from './foreign-pages.ts';

/** Logs a line for each request that can change something: who, what, and the result. Never a body or a header. */
export function writeAuditLines(app: FastifyInstance, log: Logger): void {
  app.decorateRequest(auditedDevice, undefined);
  app.addHook('onResponse', async (request, reply) => {
    const { id: requestId, method, originalUrl: url, ip } = request;
    if (isSafe(method)) return;
    const { name, role } = callerOf(request);
    const { statusCode: status, elapsedTime } = reply;
    const device = request.getDecorator<DeviceRef | undefined>(auditedDevice);
    const audit = {
      requestId,
      who: name,
      role,
      from: ip,
      method,
      // The query of a refused request can contain anything, also a secret.
      url: (status < 400 ? url : url.split('?', 1).join()).slice(0, 200),
      ...(device === undefined ? {} : { device }),
      status,
      ms: Math.round(elapsedTime),
    };
    log.info({ audit }, 'audit: request completed.');
  });
}
