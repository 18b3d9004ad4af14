import type { FastifyRequest } from 'fastify';
import { isPartOfAnswer, scopeHeader, shardsScope } from '../../../src/http/index.ts';
import { decodeShards, encodeShards } from './shard-set.ts';

/**
 * Turns `?scope=member` into a header, so that no route needs the parameter. The header says what a request wants of this member: `member` is what it
 * knows itself, and `shards=…` is what it knows of the devices of these shards. A member that asks another one wants nothing of third ones.
 */
export function takeScope(request: FastifyRequest): void {
  const query = request.query as Record<string, unknown>;
  if (query['scope'] !== 'member') return;
  delete query['scope'];
  request.headers[scopeHeader] = 'member';
}

/** Whether a request wants the answer of this member alone. */
export function isForMember(request: FastifyRequest): boolean {
  return request.headers[scopeHeader] === 'member' || isPartOfAnswer(request);
}

/** The shards that another member asks for; undefined when it does not say which. */
export function readScopeShards(request: FastifyRequest): ReadonlySet<number> | undefined {
  if (!isPartOfAnswer(request)) return undefined;
  return decodeShards(String(request.headers[scopeHeader]).slice(shardsScope.length));
}

export function scopeOf(shards: Iterable<number>): string {
  return `${shardsScope}${encodeShards(shards)}`;
}
