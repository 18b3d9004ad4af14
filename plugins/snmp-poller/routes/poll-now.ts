import { devicePaths, deviceRefSchema, listOf, waitWithin } from '../../../src/http/index.ts';
import { access, defineErrors, HttpProblem, Type } from '../../../src/index.ts';
import type { RouteFacts, RoutePlugin } from '../../http-routes/service.ts';
import { pollerErrors } from '../errors.ts';
import type { PollReport } from '../service.ts';
import { gapsSchema, showGaps } from './counter-schemas.ts';
import type { RouteTools } from './route-tools.ts';

const schema = {
  operationId: 'pollDevice',
  tags: ['devices'],
  summary: 'Poll one device now',
  description:
    'Runs all plans of the device outside its schedule. The records go to the pipeline as usual. The request joins a poll that is under way. A silent device must answer a probe first.',
  querystring: Type.Object(
    { wait: Type.Boolean({ default: false, description: 'answer after the poll has ended' }) },
    { additionalProperties: false },
  ),
  response: {
    200: Type.Object(
      {
        device: deviceRefSchema,
        poll: Type.Object({
          joined: Type.Boolean({ description: 'whether a poll was already under way' }),
          durationMs: Type.Number(),
          packets: Type.Integer(),
          values: Type.Integer({ description: '0: the poll failed' }),
          gaps: gapsSchema,
          records: listOf(Type.Object({ record: Type.String(), rows: Type.Integer() })),
        }),
      },
      { description: 'With wait=true: the poll has ended, with or without values.' },
    ),
    202: Type.Object(
      { device: deviceRefSchema, poll: Type.Object({ joined: Type.Boolean() }) },
      { description: 'The poll is under way.' },
    ),
  },
};

export function pollNow({ poller, find }: RouteTools): RoutePlugin {
  return async (app, facts) => {
    for (const { path, params, suffix } of devicePaths) {
      const named = { ...schema, params, operationId: schema.operationId + suffix };
      app.post(`${path}/poll`, { config: access('operate'), schema: named }, async (request, reply) => {
        const device = find(request.params);
        if (facts.stopping.aborted) throw problem('POLL_STOPPING', facts);
        const { joined, ended } = await poller.requestPoll(device).catch(answerFailure);
        if (!request.query.wait) {
          ended.catch(() => {});
          return reply.code(202).send({ device: device.ref, poll: { joined } });
        }
        const { gaps, ...report } = await waitFor(ended, facts);
        return { device: device.ref, poll: { joined, ...report, gaps: showGaps(gaps) } };
      });
    }
  };
}

const failure = defineErrors(pollerErrors);

async function waitFor(ended: Promise<PollReport>, facts: RouteFacts): Promise<PollReport> {
  const report = await waitWithin(ended, facts).catch(answerFailure);
  if (report !== undefined) return report;
  throw problem(facts.stopping.aborted ? 'POLL_STOPPING' : 'POLL_RUNNING', facts);
}

const statuses = { POLL_STOPPING: 409, POLL_RUNNING: 504 } as const;

function problem(code: keyof typeof statuses, { waitMs }: RouteFacts): HttpProblem {
  return new HttpProblem(statuses[code], code, failure(code, { waitMs }).message);
}

function answerFailure(error: unknown): never {
  const { code, message } = error as Error & { readonly code?: unknown };
  if (code === 'POLL_NOT_PLANNED') throw new HttpProblem(409, code, message);
  if (code === 'POLL_NO_ANSWER') throw new HttpProblem(503, code, message);
  throw error;
}
