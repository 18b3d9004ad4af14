import type { FastifyRequest } from 'fastify';
import type { HttpRole } from '../../http-routes/service.ts';

/** Who sent a request, as far as it was proved. */
export interface Caller {
  /** For records and audit lines. */
  readonly name: string;
  readonly role: HttpRole;
}

export const callerDecorator = 'waywiserCaller';

export function callerOf(request: Pick<FastifyRequest, 'getDecorator'>): Caller {
  return request.getDecorator<Caller | undefined>(callerDecorator) ?? { name: 'nobody', role: 'public' };
}
