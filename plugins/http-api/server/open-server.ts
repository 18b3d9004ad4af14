import { createServer as createHttp, type RequestListener, type Server, type ServerOptions } from 'node:http';
import { createServer as createHttps } from 'node:https';
import type { TlsContext } from '../security/tls-files.ts';

/** A plain server, or one behind TLS when there is a certificate. */
export function openServer(settings: ServerOptions & Partial<TlsContext>, handler: RequestListener): Server {
  const server =
    settings.cert === undefined
      ? createHttp(settings, handler)
      : (createHttps(settings as never, handler) as unknown as Server);
  // RFC 9110, section 10.1.1: an expectation that nobody knows may be left where it is; Node's own answer is empty.
  return server.on('checkExpectation', handler);
}
