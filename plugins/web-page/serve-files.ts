import type { FastifyReply, FastifyRequest } from 'fastify';
import { access } from '../../src/index.ts';
import type { RoutePlugin } from '../http-routes/service.ts';
import type { PageFile } from './page-files.ts';
import { refuseSecretInUrl } from './secret-in-url.ts';

/**
 * What the browser may do with the page: run and show its own files, talk to its own collector, and nothing else. No other page may
 * show it in a frame.
 */
const pageHeaders = {
  'content-security-policy':
    "default-src 'none'; script-src 'self'; style-src 'self'; img-src 'self'; connect-src 'self'; base-uri 'none'; form-action 'none'; frame-ancestors 'none'",
  'x-frame-options': 'DENY',
  'x-content-type-options': 'nosniff',
  'referrer-policy': 'no-referrer',
  'cross-origin-opener-policy': 'same-origin',
  'cross-origin-resource-policy': 'same-origin',
};

const index = 'index.html';

/** Serves the page at `/`, and its files below `/page/files/`: relative to it, so that it works below any path of a reverse proxy. */
export function fileRoutes(files: readonly PageFile[]): RoutePlugin {
  const options = { config: access('public'), schema: { hide: true } };
  return async (app) => {
    for (const file of files) {
      const path = file.name === index ? '/' : `/page/files/${file.name}`;
      app.get(path, options, async (request, reply) => {
        refuseSecretInUrl(request);
        return sendFile(file, request, reply);
      });
    }
  };
}

/** Names contain a hash of their content, except for index.html: a new version has other names. */
function sendFile(file: PageFile, { headers }: FastifyRequest, reply: FastifyReply): FastifyReply {
  const encoding = chooseEncoding(headers['accept-encoding']);
  void reply.headers({
    ...pageHeaders,
    'cache-control': file.name === index ? 'no-store' : 'public, max-age=31536000, immutable',
    vary: 'accept-encoding',
    etag: file.etag,
    'content-type': file.type,
  });
  if (isKnown(file.etag, headers['if-none-match'])) return reply.code(304).send();
  if (encoding !== 'plain') void reply.header('content-encoding', encoding);
  return reply.send(file[encoding]);
}

/** RFC 9110, section 13.1.2: compared without W/, which proxies add when they compress. */
function isKnown(etag: string, known: string | undefined): boolean {
  return (known ?? '').split(',').some((each) => each.trim().replace(/^W\//, '') === etag);
}

function chooseEncoding(accepted = ''): 'br' | 'gzip' | 'plain' {
  const names = accepted
    .toLowerCase()
    .split(',')
    .map((each) => each.trim())
    .filter((each) => !/;\s*q=0(\.0*)?$/.test(each))
    .map((each) => each.split(';', 1).join().trim());
  if (names.includes('br')) return 'br';
  return names.includes('gzip') ? 'gzip' : 'plain';
}
