import type { FastifyRequest } from 'fastify';
import type { HttpRole } from '../../../src/index.ts';

/** Who sent a request, as far as it was proved. */
export interface Caller {
  /** For records and audit lines. */
  readonly name: string;
  readonly role: HttpRole;
  /** Whether what proved it is still worth something; answers that go on for long ask now and then. */
  readonly isCurrent: () => boolean;
}

export const callerDecorator = 'waywiserCaller';

const nobody: Caller = { name: 'nobody', role: 'public', isCurrent: () => true };

export function callerOf(request: Pick<FastifyRequest, 'getDecorator'>): Caller {
  return request.getDecorator<Caller | undefined>(callerDecorator) ?? nobody;
}
