/**
 * Thrown by a route to answer with an error, as RFC 9457 writes it. `code` is public API and belongs to an error table;
 * `detail` says what happened to which named thing, what was received and what to do. Neither may hold a secret.
 */
export class HttpProblem extends Error {
  override readonly name = 'HttpProblem';
  /** From 400 to 599. */
  readonly status: number;
  readonly code: string;
  /** Further members of the answer, such as a list of problems. */
  readonly members: Readonly<Record<string, unknown>>;

  constructor(status: number, code: string, detail: string, members: Readonly<Record<string, unknown>> = {}) {
    super(detail);
    this.status = status;
    this.code = code;
    this.members = members;
  }
}
