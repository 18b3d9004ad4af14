import type { FastifyError, FastifyReply, FastifyRequest } from 'fastify';
import { inputProblem, quoteText, stoppingProblem } from '../../../src/http/index.ts';
import { HttpProblem, type Logger } from '../../../src/index.ts';
import { problem } from '../problem/problem.ts';
import { documentOf, problemType } from '../problem/problem-document.ts';
import { isSafe } from '../security/foreign-pages.ts';

type AnswerProblem = (error: unknown, request: FastifyRequest, reply: FastifyReply) => FastifyReply;

const bearer = 'Bearer realm="waywiser"';
/** Makes browsers ask for a name and a password, so that people can open /docs. */
const basic = 'Basic realm="waywiser", charset="UTF-8"';

/** Answers a thrown error. An unexpected error is logged, and its text is not sent to the client. */
export function createAnswer(log: Logger, maxBodyBytes: number): AnswerProblem {
  return (error, request, reply) => {
    const known = problemOf(error, request, maxBodyBytes);
    if (known === undefined) {
      const { id: requestId, method } = request;
      log.error({ error, requestId, method, route: request.routeOptions.url }, 'Request failed.');
    }
    const found = known ?? problem('HTTP_INTERNAL', {});
    if (found.status === 401)
      reply.header('www-authenticate', isOfScript(request) ? [bearer] : [bearer, basic]);
    if (Array.isArray(found.members['allowed'])) reply.header('allow', found.members['allowed'].join(', '));
    if (found.status === 503 || found.status === 429) {
      reply.header('retry-after', found.code === 'HTTP_PASSWORD_ATTEMPTS' ? '60' : '1');
    }
    return reply.code(found.status).type(problemType).send(documentOf(found, request.id));
  };
}

/** Whether a page's script sent the request. It shows the problem itself: the browser must not ask for a password instead. */
function isOfScript({ method, headers }: FastifyRequest): boolean {
  const { 'sec-fetch-dest': destination, accept = '' } = headers;
  return !isSafe(method) || destination === 'empty' || accept.includes(problemType);
}

/** A thrown error as a problem; undefined for an unexpected error. */
function problemOf(error: unknown, request: FastifyRequest, maxBodyBytes: number): HttpProblem | undefined {
  if (error instanceof HttpProblem) return error;
  const { code, statusCode = 500, validation } = error as Partial<FastifyError>;
  if (validation !== undefined) return faultsOf(error as FastifyError);
  if (code === 'DEFINITION_UNKNOWN') return new HttpProblem(404, code, (error as Error).message);
  if (code?.startsWith('DEFINITIONS_CLUSTER_'))
    return new HttpProblem(
      code === 'DEFINITIONS_CLUSTER_UNREACHABLE' ? 503 : 409,
      code,
      (error as Error).message,
    );
  if (code === 'DEFINITIONS_STOPPED') return stoppingProblem();
  if (code === 'FST_ERR_CTP_BODY_TOO_LARGE')
    return problem('HTTP_BODY_TOO_LARGE', { maxBytes: maxBodyBytes });
  if (code === 'FST_ERR_CTP_INVALID_MEDIA_TYPE' || code === 'FST_ERR_ROUTE_MISSING_CONTENT_TYPE') {
    return problem('HTTP_CONTENT_TYPE', { received: quoteText(request.headers['content-type'] ?? 'none') });
  }
  if (code === 'FST_ERR_BAD_URL')
    return problem('HTTP_REQUEST_MALFORMED', { reason: 'the path is malformed' });
  // @fastify/static refuses paths that lead out of the folder of /docs.
  if (statusCode === 403 || statusCode === 404) return notFound(request);
  if (statusCode === 400) return problem('HTTP_BODY_MALFORMED', {});
  return undefined;
}

export function notFound(request: FastifyRequest): HttpProblem {
  return problem('HTTP_NOT_FOUND', { path: quoteText(request.url.split('?')[0]) });
}

/** Every problem that validation found in one part of the request, as sentences. The first one is also the detail. */
function faultsOf({ validation = [], validationContext = 'body' }: FastifyError): HttpProblem {
  const part = validationContext === 'querystring' ? 'query' : validationContext;
  const problems = validation.map(({ keyword, instancePath, params, message }) => {
    const path = instancePath.slice(1).replaceAll('/', '.');
    if (keyword === 'required') return `the ${part} lacks "${params['missingProperty']}"`;
    if (keyword === 'additionalProperties') {
      return `the ${part} has ${quoteText(params['additionalProperty'])}, which is unknown`;
    }
    if (keyword === 'enum') {
      return `"${path}" of the ${part} must be one of ${(params['allowedValues'] as string[]).join(', ')}`;
    }
    return path === '' ? `the ${part} ${message}` : `"${path}" of the ${part} ${message}`;
  });
  const members = validation.length > 1 ? { problems } : {};
  return inputProblem(problems[0] ?? 'it is invalid', members);
}
