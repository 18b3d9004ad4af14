import { createHash, timingSafeEqual } from 'node:crypto';
import { type IncomingHttpHeaders, request as requestHttp } from 'node:http';
import { request as requestHttps } from 'node:https';
import { readTlsFiles } from '../../src/connection/index.ts';
import { defineErrors, type Secret } from '../../src/index.ts';
import type { Member, MemberAnswer, MemberCall, MemberRequests } from '../../src/sharding/index.ts';
import { clusterErrors } from './errors.ts';
import type { ClusterOptions } from './options.ts';

const failure = defineErrors(clusterErrors);

/** Requests between members, over their HTTP APIs. */
export class HttpMemberRequests implements MemberRequests {
  readonly #token: Secret | undefined;
  readonly #tls: ClusterOptions['tls'];

  constructor(token: Secret | undefined, tls: ClusterOptions['tls']) {
    this.#token = token;
    this.#tls = tls;
  }

  /** Whether a token is the one that members show to each other. */
  isToken(text: string): boolean {
    return this.#token !== undefined && timingSafeEqual(digest(text), digest(this.#token.reveal()));
  }

  /** Resolves with the first byte of the answer, whatever its status. Rejects with CLUSTER_MEMBER_UNREACHABLE. */
  ask(
    { name, address }: Member,
    { method, path, headers = {}, body, timeoutMs }: MemberCall,
  ): Promise<MemberAnswer> {
    const refuse = (reason: string) => failure('CLUSTER_MEMBER_UNREACHABLE', { member: name, reason });
    if (address === undefined) return Promise.reject(refuse('it has no `advertise`'));
    return new Promise((resolve, reject) => {
      try {
        const url = new URL(path, address);
        // A path such as //other.example/ names a server, which must not see the token.
        if (url.origin !== new URL(address).origin) throw new Error('the path leads to another server');
        const send = url.protocol === 'https:' ? requestHttps : requestHttp;
        const request = send(url, {
          method,
          headers: { ...headers, ...this.#headers() },
          ...(url.protocol === 'https:' ? readTlsFiles(this.#tls, `the member ${name}`) : {}),
        });
        request.setTimeout(timeoutMs, () =>
          request.destroy(new Error(`it did not answer within ${timeoutMs} ms`)),
        );
        request.on('error', (error: NodeJS.ErrnoException) => reject(refuse(error.code ?? error.message)));
        request.on('response', (response) =>
          resolve({
            status: response.statusCode ?? 502,
            headers: response.headers as IncomingHttpHeaders,
            body: response,
          }),
        );
        request.end(body);
      } catch (error) {
        reject(refuse(error instanceof Error ? error.message : String(error)));
      }
    });
  }

  #headers(): Record<string, string> {
    return this.#token === undefined ? {} : { authorization: `Bearer ${this.#token.reveal()}` };
  }
}

function digest(text: string): Buffer {
  return createHash('sha256').update(text).digest();
}
