import type { FastifyRequest } from 'fastify';
import { defineErrors, HttpProblem } from '../../src/index.ts';
import { webPageErrors } from './errors.ts';

const failure = defineErrors(webPageErrors);

/** Refuses a URL with a token or a password: proxies, logs and the history of browsers keep URLs. */
export function refuseSecretInUrl({ query }: FastifyRequest): void {
  const name = ['token', 'access_token', 'password'].find((each) => Object.hasOwn(query as object, each));
  if (name === undefined) return;
  const { code, message } = failure('WEB_PAGE_SECRET_IN_URL', { name });
  throw new HttpProblem(400, code, message);
}
