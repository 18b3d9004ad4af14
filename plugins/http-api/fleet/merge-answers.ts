import type { FastifyRequest } from 'fastify';
import fastifyPlugin from 'fastify-plugin';
import { findMerge, limitToShards } from '../../../src/http/index.ts';
import { listShards } from '../../../src/sharding/index.ts';
import type { RoutePlugin } from '../../http-routes/service.ts';
import type { ApiContext } from '../api-context.ts';
import { askMembers, type OthersAnswers } from './ask-members.ts';
import { isForMember, readScopeShards, takeScope } from './member-scope.ts';
import { encodeShards, movedHeader } from './shard-set.ts';

/** In a cluster, lets all members answer the reads with `fleetRead`. Register it before the routes. */
export function mergeAnswers({ shards, log }: Pick<ApiContext, 'shards' | 'log'>): RoutePlugin {
  const { fleet } = shards;
  const others = new WeakMap<FastifyRequest, OthersAnswers>();
  const listOwned = () => new Set(listShards().filter((shard) => shards.owns(shard)));
  const routes: RoutePlugin = async (app) => {
    app.addHook('onRequest', async (request) => takeScope(request));
    if (fleet === undefined) return;
    app.addHook('preHandler', async (request, reply) => {
      if (findMerge(request) === undefined) return;
      if (!isForMember(request)) {
        const found = await askMembers(request, fleet, log);
        others.set(request, found);
        limitToShards(request, found.left);
        return;
      }
      const [owned, asked] = [listOwned(), readScopeShards(request)];
      if (asked === undefined) return limitToShards(request, owned);
      const moved = [...asked].filter((shard) => !owned.has(shard));
      if (moved.length > 0) reply.header(movedHeader, encodeShards(moved));
      limitToShards(request, new Set([...asked].filter((shard) => owned.has(shard))));
    });
    app.addHook('preSerialization', async (request, reply, payload) => {
      const found = others.get(request);
      if (found === undefined || reply.statusCode !== 200) return payload;
      const merged = findMerge(request)!([payload as object, ...found.answers], request.query);
      return found.silent.length === 0 ? merged : { ...merged, silentMembers: found.silent };
    });
  };
  return fastifyPlugin(routes);
}
