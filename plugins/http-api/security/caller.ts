import type { FastifyRequest } from 'fastify';
import type { HttpRole } from '../../../src/index.ts';

/** The authenticated sender of a request. */
export interface Caller {
  /** The name in audit lines and in records of changes. */
  readonly name: string;
  readonly role: HttpRole;
  /** Whether the credential is still valid. Long answers, such as event streams, check it from time to time. */
  readonly isCurrent: () => boolean;
}

export const callerDecorator = 'waywiserCaller';

const nobody: Caller = { name: 'nobody', role: 'public', isCurrent: () => true };

export function callerOf(request: Pick<FastifyRequest, 'getDecorator'>): Caller {
  return request.getDecorator<Caller | undefined>(callerDecorator) ?? nobody;
}
