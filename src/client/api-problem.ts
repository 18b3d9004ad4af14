/** An error that the collector answered (RFC 9457). */
export class ApiProblem extends Error {
  override readonly name = 'ApiProblem';
  readonly status: number;
  /** One of docs/errors.md. Codes do not change. */
  readonly code: string;
  /** The other members of the answer: `problems` of rejected definitions, the `nearest` device, … */
  readonly members: Readonly<Record<string, unknown>>;

  /** The id of the request, which the collector's log has too. */
  readonly requestId: string | undefined;

  constructor(
    status: number,
    code: string,
    detail: string,
    members: Readonly<Record<string, unknown>>,
    requestId?: string,
  ) {
    super(detail);
    this.status = status;
    this.code = code;
    this.members = members;
    this.requestId = requestId;
  }
}

/** Parses the body of an answer; undefined when it is not a problem. */
export function parseProblem(body: string): ApiProblem | undefined {
  let value: unknown;
  try {
    value = JSON.parse(body);
  } catch {
    return undefined;
  }
  if (typeof value !== 'object' || value === null) return undefined;
  const {
    type: _,
    title: __,
    status,
    code,
    detail,
    requestId,
    ...members
  } = value as Record<string, unknown>;
  if (typeof status !== 'number' || typeof code !== 'string' || typeof detail !== 'string') return undefined;
  return new ApiProblem(status, code, detail, members, typeof requestId === 'string' ? requestId : undefined);
}
