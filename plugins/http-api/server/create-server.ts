import type { Socket } from 'node:net';
import Fastify, { type FastifyInstance, type HTTPMethods } from 'fastify';
import type { Logger, TSchema } from '../../../src/index.ts';
import { quoteText } from '../../../src/internal.ts';
import type { HttpOptions } from '../options.ts';
import { createAnswer } from '../problem/answer-problem.ts';
import { problem } from '../problem/problem.ts';
import { documentOf, problemSchema, problemType } from '../problem/problem-document.ts';
import { notFound } from '../problem/problem-of.ts';
import type { TlsContext } from '../security/tls-files.ts';
import { answerBrokenRequest } from './broken-request.ts';
import { openServer } from './open-server.ts';
import { convertQuery } from './query-values.ts';
import { createRequestId, requestIdHeader } from './request-id.ts';
import { decodedPathOf, routeTarget } from './request-target.ts';

/** A server without routes that keeps the limits and answers every error as a problem. */
export function createServer(
  { limits }: HttpOptions,
  tls: TlsContext | undefined,
  log: Logger,
): FastifyInstance {
  const answer = createAnswer(log, limits.body_bytes);
  const settings = {
    ...tls,
    maxHeaderSize: limits.header_bytes,
    headersTimeout: limits.request_ms,
    requestTimeout: limits.request_ms,
    connectionsCheckingInterval: Math.min(limits.request_ms, 5000),
    // Node's own answer to a request without Host is empty; the guard's is a problem.
    requireHostHeader: false,
  };
  const app = Fastify({
    bodyLimit: limits.body_bytes,
    rewriteUrl: routeTarget,
    genReqId: createRequestId,
    requestTimeout: limits.request_ms,
    return503OnClosing: false,
    // The router answers a longer one before any check; headers, and so paths, are never longer than this.
    routerOptions: { maxParamLength: limits.header_bytes },
    ajv: { customOptions: { coerceTypes: false, removeAdditional: false, allErrors: true } },
    serverFactory: (handler) => openServer(settings, handler),
    frameworkErrors: (error, request, reply) => void answer(error, request, reply),
    clientErrorHandler: (error, socket) => answerBrokenRequest(error, socket, limits.header_bytes),
  });
  app.server.maxConnections = limits.connections;
  app.server.on('connect', (_request, socket: Socket) => {
    // Nobody else listens to it any more.
    socket.on('error', () => {});
    answerBrokenRequest({ code: 'CONNECT' }, socket, limits.header_bytes);
  });
  app.removeContentTypeParser('text/plain');
  app.setErrorHandler(answer);
  // On the raw response, so that answers which routes write themselves, such as event streams, have it too.
  app.addHook('onRequest', async ({ id }, { raw }) => void raw.setHeader(requestIdHeader, id));

  app.setNotFoundHandler((request) => {
    const { method, url } = request;
    const allowed = app.supportedMethods.filter((each) => hasRoute(app, each, url)).sort();
    if (allowed.length === 0 || allowed.includes(method)) throw notFound(request);
    const details = { path: quoteText(decodedPathOf(url)), allowed: allowed.join(', '), method };
    throw problem('HTTP_METHOD_NOT_ALLOWED', details, { allowed });
  });
  app.addHook('onRoute', (route) => {
    const { querystring, response = {} } = (route.schema ?? {}) as Schemas;
    if (querystring !== undefined)
      route.preValidation = [convertQuery(querystring), route.preValidation ?? []].flat();
    if (route.schema === undefined) return;
    route.schema.response = {
      ...response,
      '4xx': response['4xx'] ?? describeProblem('What is wrong with the request.', 'HTTP_BODY_MALFORMED'),
      '5xx':
        response['5xx'] ?? describeProblem('Why the collector cannot answer, or not yet.', 'HTTP_OVERLOADED'),
    };
  });
  return app;
}

/** Whether the router has a route that answers this method of a path, whose parameters are filled in. */
function hasRoute(app: FastifyInstance, method: string, url: string): boolean {
  return app.findRoute({ method: method as HTTPMethods, url }) !== null;
}

interface Schemas {
  readonly querystring?: TSchema;
  readonly response?: Readonly<Record<string, unknown>>;
}

function describeProblem(description: string, example: 'HTTP_BODY_MALFORMED' | 'HTTP_OVERLOADED') {
  const content = { schema: problemSchema, example: documentOf(problem(example, {})) };
  return { description, content: { [problemType]: content } };
}
