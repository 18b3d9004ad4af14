import { readFileSync } from 'node:fs';
import { type IncomingMessage, Agent as PlainAgent, request as plainRequest } from 'node:http';
import { Agent as SecureAgent, request as secureRequest } from 'node:https';
import { promisify } from 'node:util';
import { gzip as gzipBytes } from 'node:zlib';
import { PermanentError, type Static, type Type } from '../../../src/index.ts';
import type { posterOptions } from './poster-options.ts';

const gzip = promisify(gzipBytes);
/** Refusals that may pass: too slow, too early, too often. */
const passing = new Set([408, 425, 429]);

export type PosterOptions = Static<ReturnType<typeof Type.Object<typeof posterOptions>>>;

/** Sends bodies to one URL, one connection kept open. */
export interface Poster {
  /**
   * Resolves when the other side has taken the body. Throws a PermanentError for what it will never take, and another error for
   * what may pass.
   */
  post(body: Buffer, contentType: string, signal: AbortSignal): Promise<void>;
  close(): void;
}

/** Throws when the URL or a TLS file is not what it should be. */
export function createPoster(options: PosterOptions): Poster {
  const url = new URL(options.url);
  const isSecure = url.protocol === 'https:';
  const agent = isSecure
    ? new SecureAgent({ keepAlive: true, maxSockets: 1, ...readTls(options.tls) })
    : new PlainAgent({ keepAlive: true, maxSockets: 1 });
  const fixed = { ...options.headers, ...authorization(options) };
  return {
    async post(plain, contentType, signal) {
      const body = options.gzip ? await gzip(plain) : plain;
      const headers = {
        ...fixed,
        'content-type': contentType,
        'content-length': body.length,
        ...(options.gzip ? { 'content-encoding': 'gzip' } : {}),
      };
      const status = await new Promise<number>((resolve, reject) => {
        const settle = (response: IncomingMessage) => {
          response.on('end', () => resolve(response.statusCode ?? 0)).on('error', reject);
          response.resume();
        };
        const send = isSecure ? secureRequest : plainRequest;
        send(url, { method: 'POST', headers, agent, signal }, settle).on('error', reject).end(body);
      });
      if (status >= 200 && status < 300) return;
      const message = `${url.origin}${url.pathname} answered ${status}`;
      throw status < 500 && !passing.has(status) ? new PermanentError(message) : new Error(message);
    },
    close: () => agent.destroy(),
  };
}

function authorization({ token, username, password }: PosterOptions): Readonly<Record<string, string>> {
  if (token !== undefined) return { authorization: `Bearer ${token.reveal()}` };
  if (username === undefined) return {};
  const pair = `${username}:${password?.reveal() ?? ''}`;
  return { authorization: `Basic ${Buffer.from(pair).toString('base64')}` };
}

function readTls({ ca, cert, key }: PosterOptions['tls']) {
  return {
    ...(ca === undefined ? {} : { ca: readFileSync(ca) }),
    ...(cert === undefined ? {} : { cert: readFileSync(cert) }),
    ...(key === undefined ? {} : { key: readFileSync(key) }),
  };
}
