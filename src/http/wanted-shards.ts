import type { FastifyRequest } from 'fastify';

const wanted = new WeakMap<FastifyRequest, ReadonlySet<number>>();

/** The shards whose devices the answer may contain; undefined for all devices, in a collector that is alone. */
export function wantedShards(request: FastifyRequest): ReadonlySet<number> | undefined {
  return wanted.get(request);
}

export function limitToShards(request: FastifyRequest, shards: ReadonlySet<number>): void {
  wanted.set(request, shards);
}
