import type { FastifyRequest } from 'fastify';
import { decodeShards, encodeShards } from './shard-set.ts';

/**
 * What a request wants of this member: `member` is what it knows itself, and `shards=…` is what it knows of the devices of these
 * shards. A member that asks another one wants nothing of third ones.
 */
export const scopeHeader = 'waywiser-scope';
const shardsScope = 'shards=';

/** Turns `?scope=member` into a header, so that no route needs the parameter. */
export function takeScope(request: FastifyRequest): void {
  const query = request.query as Record<string, unknown>;
  if (query['scope'] !== 'member') return;
  delete query['scope'];
  request.headers[scopeHeader] = 'member';
}

/** Whether a request wants the answer of this member alone. */
export function isForMember({ headers }: FastifyRequest): boolean {
  const scope = headers[scopeHeader];
  return scope === 'member' || (typeof scope === 'string' && scope.startsWith(shardsScope));
}

/** The shards that another member asks for; undefined when it does not say which. */
export function readScopeShards({ headers }: FastifyRequest): ReadonlySet<number> | undefined {
  const scope = headers[scopeHeader];
  if (typeof scope !== 'string' || !scope.startsWith(shardsScope)) return undefined;
  return decodeShards(scope.slice(shardsScope.length));
}

export function scopeOf(shards: Iterable<number>): string {
  return `${shardsScope}${encodeShards(shards)}`;
}
