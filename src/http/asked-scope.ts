import type { FastifyRequest } from 'fastify';

/** What a member wants of another one: its value begins with `shardsScope` when the answer is joined with others. */
export const scopeHeader = 'waywiser-scope';
/** The role of the caller whose request a member passes on: the other member allows no more. */
export const roleHeader = 'waywiser-role';
export const shardsScope = 'shards=';

/** Whether another member of the cluster asks, and joins the answer with others. */
export function isPartOfAnswer({ headers }: FastifyRequest): boolean {
  const scope = headers[scopeHeader];
  return typeof scope === 'string' && scope.startsWith(shardsScope);
}
