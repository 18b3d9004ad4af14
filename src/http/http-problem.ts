import { recognizeInEveryCopy } from '../shared-class.ts';

/**
 * A route throws this to answer with an error (RFC 9457). `code` is public API and belongs to an error table. `detail` says
 * what happened to which named thing, what was received, and what to do. Neither may contain a secret.
 */
export class HttpProblem extends Error {
  static {
    recognizeInEveryCopy(HttpProblem, 'HttpProblem');
  }

  override readonly name = 'HttpProblem';
  /** From 400 to 599. */
  readonly status: number;
  readonly code: string;
  /** Additional members of the answer, such as a list of problems. */
  readonly members: Readonly<Record<string, unknown>>;

  constructor(status: number, code: string, detail: string, members: Readonly<Record<string, unknown>> = {}) {
    if (!Number.isInteger(status) || status < 400 || status > 599)
      throw new TypeError('HttpProblem takes a status from 400 to 599, then a code and a sentence.');
    super(detail);
    this.status = status;
    this.code = code;
    this.members = members;
  }
}
