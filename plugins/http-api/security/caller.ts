import type { FastifyRequest } from 'fastify';
import type { HttpCaller } from '../../http-routes/service.ts';

export interface Caller extends HttpCaller {
  /** Whether the browser added the credential by itself, as it does with cookies: also to requests that another site's page sends. */
  readonly isByCookie?: boolean;
}

export const callerDecorator = 'waywiserCaller';

const nobody: Caller = { name: 'nobody', role: 'public', isCurrent: () => true };

export function callerOf(request: Pick<FastifyRequest, 'getDecorator'>): Caller {
  return request.getDecorator<Caller | undefined>(callerDecorator) ?? nobody;
}
