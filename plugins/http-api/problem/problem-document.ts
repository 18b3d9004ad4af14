import { STATUS_CODES } from 'node:http';
import { type HttpProblem, type Static, Type } from '../../../src/index.ts';

export const problemType = 'application/problem+json';

/** An error as RFC 9457 defines it. */
export const problemSchema = Type.Object(
  {
    type: Type.String({ description: 'urn:waywiser:error: followed by the code' }),
    title: Type.String({ description: 'the standard phrase for the status' }),
    status: Type.Integer({ minimum: 400, maximum: 599 }),
    code: Type.String({ description: 'one of docs/errors.md; codes do not change' }),
    detail: Type.String({ description: 'what happened, and what to do' }),
    requestId: Type.Optional(
      Type.String({ description: 'the id of the request, which log lines about it have too' }),
    ),
  },
  { title: 'Problem', additionalProperties: true, description: 'An error (RFC 9457).' },
);

/** Without an id for bytes that never became a request. */
export function documentOf(
  { status, code, message, members }: HttpProblem,
  requestId?: string,
): Static<typeof problemSchema> {
  return {
    type: `urn:waywiser:error:${code}`,
    title: STATUS_CODES[status] ?? 'Error',
    status,
    code,
    detail: message,
    ...members,
    ...(requestId === undefined ? {} : { requestId }),
  };
}
