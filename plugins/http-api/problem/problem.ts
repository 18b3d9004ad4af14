import { defineErrors, HttpProblem } from '../../../src/index.ts';
import { httpErrors } from '../errors.ts';

type HttpCode = keyof typeof httpErrors;
type Details<Code extends HttpCode> = Parameters<typeof failure<Code>>[1];

const failure = defineErrors(httpErrors);

/** A problem with a code of the API's own error table. */
export function problem<Code extends HttpCode>(
  code: Code,
  details: Details<Code>,
  members?: Readonly<Record<string, unknown>>,
): HttpProblem {
  return new HttpProblem(statuses[code], code, failure(code, details).message, members);
}

const statuses: Readonly<Record<HttpCode, number>> = {
  HTTP_REQUEST_MALFORMED: 400,
  HTTP_REQUEST_TIMEOUT: 408,
  HTTP_HEADERS_TOO_LARGE: 431,
  HTTP_BODY_MALFORMED: 400,
  HTTP_BODY_TOO_LARGE: 413,
  HTTP_CONTENT_TYPE: 415,
  HTTP_CONTENT_ENCODING: 415,
  HTTP_NOT_FOUND: 404,
  HTTP_METHOD_NOT_ALLOWED: 405,
  HTTP_HOST_UNKNOWN: 421,
  HTTP_ORIGIN_REFUSED: 403,
  HTTP_ORIGIN_MISSING: 403,
  HTTP_TOKEN_MISSING: 401,
  HTTP_TOKEN_UNKNOWN: 401,
  HTTP_PASSWORD_WRONG: 401,
  HTTP_PASSWORD_ATTEMPTS: 429,
  HTTP_ROLE_TOO_LOW: 403,
  HTTP_RATE_LIMITED: 429,
  HTTP_CONNECTIONS: 503,
  HTTP_OVERLOADED: 503,
  HTTP_MEMBER_SILENT: 502,
  HTTP_INTERNAL: 500,
  HTTP_NOT_READY: 503,
};
