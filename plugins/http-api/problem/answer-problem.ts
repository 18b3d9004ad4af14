import type { FastifyReply, FastifyRequest } from 'fastify';
import type { Logger } from '../../../src/index.ts';
import { problem } from './problem.ts';
import { documentOf, problemType } from './problem-document.ts';
import { problemOf } from './problem-of.ts';

export type AnswerProblem = (error: unknown, request: FastifyRequest, reply: FastifyReply) => FastifyReply;

/** Browsers ask their user for a password, which opens /docs to people. */
const challenges = ['Bearer realm="waywiser"', 'Basic realm="waywiser", charset="UTF-8"'];

/** Answers whatever was thrown. A fault of ours goes to the log, and nothing of it to the client. */
export function createAnswer(log: Logger, maxBodyBytes: number): AnswerProblem {
  return (error, request, reply) => {
    const known = problemOf(error, request, maxBodyBytes);
    if (known === undefined) {
      const { id: requestId, method } = request;
      log.error({ error, requestId, method, route: request.routeOptions.url }, 'A request failed.');
    }
    const found = known ?? problem('HTTP_INTERNAL', {});
    if (found.status === 401) reply.header('www-authenticate', challenges);
    if (Array.isArray(found.members['allowed'])) reply.header('allow', found.members['allowed'].join(', '));
    if (found.status === 503 || found.status === 429) {
      reply.header('retry-after', found.code === 'HTTP_PASSWORD_ATTEMPTS' ? '60' : '1');
    }
    return reply.code(found.status).type(problemType).send(documentOf(found, request.id));
  };
}
