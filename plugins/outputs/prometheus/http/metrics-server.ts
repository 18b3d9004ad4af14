import { createHash, timingSafeEqual } from 'node:crypto';
import { once } from 'node:events';
import { createServer, type IncomingMessage, type Server, type ServerResponse } from 'node:http';
import { closeWithConnection } from '../../../../src/http/index.ts';
import type { Secret } from '../../../../src/index.ts';
import type { ScrapeAnswer, ScrapeRequest } from './scrape.ts';
import { sendScrape } from './send-scrape.ts';

export interface MetricsServerSettings {
  readonly host: string;
  readonly port: number;
  /** The required bearer token. Undefined for no authentication. */
  readonly token: Secret | undefined;
  /** Accepted names in the Host header. Undefined for any name. */
  readonly hostNames: ReadonlySet<string> | undefined;
  readonly scrape: (request: ScrapeRequest) => ScrapeAnswer | Promise<ScrapeAnswer>;
}

const maxConnections = 64;
const maxScrapes = 4;
/** An idle connection is closed after this time. */
const idleMs = 15_000;

/** Resolves when the server listens. It serves only `/metrics`. */
export async function startMetricsServer(settings: MetricsServerSettings): Promise<Server> {
  let scrapes = 0;
  const serve = async (request: IncomingMessage, response: ServerResponse) => {
    const refusal = findRefusal(request, settings);
    if (refusal !== undefined) return refuse(response, ...refusal);
    const url = parseUrl(request);
    const unknown = url && [...url.searchParams.keys()].find((key) => key !== 'device' && key !== 'object');
    if (url === undefined || unknown !== undefined)
      return refuse(response, 400, 'The only parameters are device and object.');
    if (scrapes >= maxScrapes)
      return refuse(response, 503, 'Too many concurrent scrapes.', { 'retry-after': '1' });
    scrapes++;
    try {
      await sendScrape(await settings.scrape(readRequest(request, url)), response);
    } finally {
      scrapes--;
    }
  };
  const server = createServer(
    { headersTimeout: idleMs, requestTimeout: idleMs, keepAliveTimeout: 65_000, maxHeaderSize: 16_384 },
    (request, response) => {
      closeWithConnection(request, response);
      serve(request, response).catch(() => response.destroy());
    },
  );
  server.maxConnections = maxConnections;
  server.timeout = idleMs;
  server.listen(settings.port, settings.host);
  await once(server, 'listening');
  return server;
}

function readRequest({ headers }: IncomingMessage, { searchParams }: URL): ScrapeRequest {
  return {
    devices: searchParams.getAll('device'),
    objects: searchParams.getAll('object'),
    accept: headers.accept,
    acceptEncoding: headers['accept-encoding']?.toString(),
  };
}

type Refusal = readonly [status: number, text: string, headers?: Readonly<Record<string, string>>];

function findRefusal(request: IncomingMessage, settings: MetricsServerSettings): Refusal | undefined {
  const { method, headers } = request;
  if (settings.hostNames !== undefined && !settings.hostNames.has(hostName(headers.host))) {
    return [421, 'This host name is not allowed.'];
  }
  if (settings.token !== undefined && !isToken(headers.authorization, settings.token)) {
    return [401, 'A bearer token is required.', { 'www-authenticate': 'Bearer' }];
  }
  const path = parseUrl(request)?.pathname;
  if (path !== '/metrics') return [path === undefined ? 400 : 404, 'The only path is /metrics.'];
  if (method !== 'GET' && method !== 'HEAD') return [405, 'Use GET or HEAD.', { allow: 'GET, HEAD' }];
  return undefined;
}

function refuse(response: ServerResponse, ...[status, text, headers = {}]: Refusal): void {
  response.writeHead(status, { 'content-type': 'text/plain; charset=utf-8', ...headers });
  response.end(`${text}\n`);
}

function parseUrl({ url = '' }: IncomingMessage): URL | undefined {
  const whole = `http://host${url}`;
  return url.startsWith('/') && URL.canParse(whole) ? new URL(whole) : undefined;
}

/** `[::1]:9469` → `[::1]`. */
function hostName(header = ''): string {
  return header.toLowerCase().replace(/:\d+$/, '');
}

/** Digests have the same length, so that the comparison takes the same time for every wrong token. */
function isToken(header: string | undefined, token: Secret): boolean {
  const digest = (text: string) => createHash('sha256').update(text).digest();
  const given = /^bearer +(\S+)$/i.exec(header ?? '')?.[1] ?? '';
  return timingSafeEqual(digest(given), digest(token.reveal()));
}
