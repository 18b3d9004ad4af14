import { defineErrors, HttpProblem } from '../../src/index.ts';
import { snmpApiErrors } from './errors.ts';

type ProblemCode = keyof typeof snmpApiErrors;
type Details<Code extends ProblemCode> = Parameters<typeof failure<Code>>[1];

const failure = defineErrors(snmpApiErrors);

/** A problem with a code of this plugin's error table. */
export function problem<Code extends ProblemCode>(
  code: Code,
  details: Details<Code>,
  members?: Readonly<Record<string, unknown>>,
): HttpProblem {
  return new HttpProblem(statuses[code], code, failure(code, details).message, members);
}

const statuses: Readonly<Record<ProblemCode, number>> = {
  HTTP_BODY_UNEXPECTED: 400,
  HTTP_DEFINITIONS_INVALID: 422,
  HTTP_DEVICE_INVALID: 422,
  HTTP_DEVICE_EXISTS: 409,
  HTTP_DEVICE_OF_FILES: 409,
  HTTP_DEVICE_NAME_TAKEN: 409,
  HTTP_DEVICE_ADDRESS_REFUSED: 422,
  HTTP_DISCOVERY_UNKNOWN: 404,
  HTTP_DISCOVERY_RUNNING: 504,
};
