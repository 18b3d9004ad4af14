import type { FastifyRequest } from 'fastify';

/** What a member wants of another one: its value begins with `shardsScope` when the answer is joined with others. */
export const scopeHeader = 'waywiser-scope';
export const shardsScope = 'shards=';

/** Whether another member of the cluster asks, and joins the answer with others. */
export function isPartOfAnswer({ headers }: FastifyRequest): boolean {
  const scope = headers[scopeHeader];
  return typeof scope === 'string' && scope.startsWith(shardsScope);
}
