import { defineErrors } from '../kernel/errors.ts';
import { httpRequestErrors } from './errors.ts';
import { HttpProblem } from './http-problem.ts';

const failure = defineErrors(httpRequestErrors);

/** The problem of a request with a value that no schema can check. `reason` says what is wrong, without a full stop. */
export function inputProblem(reason: string, members?: Readonly<Record<string, unknown>>): HttpProblem {
  const { code, message } = failure('HTTP_INPUT_INVALID', { reason });
  return new HttpProblem(400, code, message, members);
}

/** The problem of a request that the collector cannot answer any more, because it stops. */
export function stoppingProblem(): HttpProblem {
  const { code, message } = failure('HTTP_STOPPING', {});
  return new HttpProblem(409, code, message);
}
