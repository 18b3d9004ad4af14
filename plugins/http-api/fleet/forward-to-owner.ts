import type { FastifyRequest } from 'fastify';
import fastifyPlugin from 'fastify-plugin';
import { roleHeader, scopeHeader, subjectFinderOf } from '../../../src/http/index.ts';
import { type DeviceIdentity, explainError, HttpProblem, type Logger } from '../../../src/index.ts';
import { type Member, type Shards, shardOf } from '../../../src/sharding/index.ts';
import type { ApiDevices, RoutePlugin } from '../../http-routes/service.ts';
import { problem } from '../problem/problem.ts';
import { callerOf } from '../security/caller.ts';
import { isForMember } from './member-scope.ts';

interface ForwardParts {
  readonly shards: Shards;
  readonly devices: ApiDevices;
  readonly waitMs: number;
  readonly log: Logger;
}

const passedOn = ['content-type', 'retry-after', 'location'] as const;
/** How long Prometheus waits for a scrape. */
const scrapeTimeoutHeader = 'x-prometheus-scrape-timeout-seconds';
/** Beyond the longest wait of a route. */
const spareMs = 5_000;

/** Headers of a request from member to member. */
const memberHeaders = { [scopeHeader]: 'member', accept: 'application/json' } as const;

/** In a cluster, lets the owner of a device answer what is asked about it. Register it before the routes. */
export function forwardToOwner({ shards, devices, waitMs, log }: ForwardParts): RoutePlugin {
  const { fleet } = shards;
  const routes: RoutePlugin = async (app) => {
    if (fleet === undefined) return;
    app.addHook('preHandler', async (request, reply) => {
      if (isForMember(request)) return undefined;
      const subject = findSubject(request, devices);
      if (subject === undefined) return undefined;
      const owner = fleet.ownerOf(shardOf(subject));
      const member = owner === undefined || owner === fleet.name ? undefined : fleet.members.get(owner);
      if (member === undefined) return undefined;
      const { status, headers, body } = await ask(request, member);
      reply.code(status).header('waywiser-member', member.name);
      for (const name of passedOn) if (headers[name] !== undefined) reply.header(name, headers[name]);
      return reply.send(body);
    });
  };
  return fastifyPlugin(routes);

  async function ask(request: FastifyRequest, member: Member) {
    const { method, raw, headers, body, id } = request;
    const isEmpty = body === undefined || body === null;
    const scrapeTimeout = headers[scrapeTimeoutHeader];
    try {
      return await fleet!.requests!.ask(member, {
        method,
        path: raw.url ?? '/',
        headers: {
          ...memberHeaders,
          [roleHeader]: callerOf(request).role,
          ...(isEmpty ? {} : { 'content-type': 'application/json' }),
          ...(typeof scrapeTimeout === 'string' ? { [scrapeTimeoutHeader]: scrapeTimeout } : {}),
        },
        body: isEmpty ? undefined : JSON.stringify(body),
        timeoutMs: waitMs + spareMs,
      });
    } catch (error) {
      log.warn({ requestId: id, member: member.name, error }, 'A member of the cluster did not answer.');
      throw problem('HTTP_MEMBER_SILENT', { member: member.name, reason: explainError(error) });
    }
  }
}

/** The device that a read, a poll or a discovery is about. A device that is unknown here is answered here. */
function findSubject(request: FastifyRequest, devices: ApiDevices): DeviceIdentity | undefined {
  try {
    const find = subjectFinderOf(request) ?? devices.findSubject;
    return find(request);
  } catch (error) {
    if (error instanceof HttpProblem) return undefined;
    throw error;
  }
}
