import { createServer as createHttp, type RequestListener, type Server, type ServerOptions } from 'node:http';
import { createServer as createHttps } from 'node:https';
import type { Socket } from 'node:net';
import type { FastifyInstance, HTTPMethods } from 'fastify';
import { closeWithConnection, quoteText } from '../../../src/http/index.ts';
import type { Logger } from '../../../src/index.ts';
import type { HttpOptions } from '../options.ts';
import { problem } from '../problem/problem.ts';
import { createRequestId, requestIdHeader } from '../security/request-id.ts';
import { decodedPathOf, routeTarget } from '../security/request-target.ts';
import type { TlsContext } from '../security/tls-files.ts';
import { answerBrokenRequest, answerConnection, renderAnswer } from './broken-request.ts';
import { ConnectionGate } from './connection-gate.ts';
import Fastify from './fastify.ts';
import { lateSerializers } from './late-serializers.ts';
import { completeRoute } from './route-defaults.ts';
import { createAnswer, notFound } from './thrown-problem.ts';

/** A server without routes, and what limits its connections. It enforces the limits and answers every error as a problem. */
export function createServer(
  { limits }: HttpOptions,
  tls: TlsContext | undefined,
  log: Logger,
): { readonly app: FastifyInstance; readonly gate: ConnectionGate } {
  const answer = createAnswer(log, limits.body_bytes);
  const settings = {
    ...tls,
    maxHeaderSize: limits.header_bytes,
    headersTimeout: limits.request_ms,
    requestTimeout: limits.request_ms,
    connectionsCheckingInterval: Math.min(limits.request_ms, 5000),
    // Node's own answer to a request without Host is empty. The guard answers with a problem.
    requireHostHeader: false,
  };
  const app = Fastify({
    bodyLimit: limits.body_bytes,
    rewriteUrl: routeTarget,
    genReqId: createRequestId,
    requestTimeout: limits.request_ms,
    return503OnClosing: false,
    // The router would refuse a longer parameter before any check. No path is longer than the headers may be.
    routerOptions: { maxParamLength: limits.header_bytes },
    ajv: { customOptions: { coerceTypes: false, removeAdditional: false, allErrors: true } },
    schemaController: { compilersFactory: { buildSerializer: lateSerializers } },
    serverFactory: (handler) => openServer(settings, handler),
    frameworkErrors: (error, request, reply) => void answer(error, request, reply),
    clientErrorHandler: (error, socket) => answerBrokenRequest(error, socket, limits.header_bytes),
  });
  const refusal = renderAnswer(problem('HTTP_CONNECTIONS', { max: limits.connections_per_address }));
  const gate = new ConnectionGate(limits, (socket) => {
    // Before its handshake a TLS connection can carry no answer.
    if (tls !== undefined) socket.destroy();
    else answerConnection(socket, refusal);
  });
  gate.guard(app.server);
  app.addHook('preClose', async () => gate.close());
  app.server.on('connect', (_request, socket: Socket) => {
    // Node has removed its own error listener.
    socket.on('error', () => {});
    answerBrokenRequest({ code: 'CONNECT' }, socket, limits.header_bytes);
  });
  app.removeContentTypeParser('text/plain');
  app.setErrorHandler(answer);
  app.addHook('onRequest', ({ id, raw }, reply, done) => {
    closeWithConnection(raw, reply.raw);
    reply.headers({
      [requestIdHeader]: id,
      'cache-control': 'no-store',
      'x-content-type-options': 'nosniff',
      ...(tls === undefined ? {} : { 'strict-transport-security': stayOnTls }),
    });
    done();
  });

  app.setNotFoundHandler((request) => {
    const { method, url } = request;
    const allowed = app.supportedMethods.filter((each) => hasRoute(app, each, url)).sort();
    if (allowed.length === 0 || allowed.includes(method)) throw notFound(request);
    const details = { path: quoteText(decodedPathOf(url)), allowed: allowed.join(', '), method };
    throw problem('HTTP_METHOD_NOT_ALLOWED', details, { allowed });
  });
  app.addHook('onRoute', completeRoute);
  return { app, gate };
}

/** For a year a browser that was here once comes over TLS only, whatever a link or an attacker says. */
const stayOnTls = 'max-age=31536000';

/** Whether the router finds a route for a method and the URL of a request. */
function hasRoute(app: FastifyInstance, method: string, url: string): boolean {
  return app.findRoute({ method: method as HTTPMethods, url }) !== null;
}

/** An HTTPS server when there is a certificate, otherwise an HTTP server. */
function openServer(settings: ServerOptions & Partial<TlsContext>, handler: RequestListener): Server {
  const server =
    settings.cert === undefined
      ? createHttp(settings, handler)
      : (createHttps(settings as never, handler) as unknown as Server);
  // RFC 9110, section 10.1.1: a server may ignore an unknown expectation. Node's own answer would be empty.
  return server.on('checkExpectation', handler);
}
