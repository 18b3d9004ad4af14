/** An error that the collector answered, as RFC 9457 writes it. */
export class ApiProblem extends Error {
  override readonly name = 'ApiProblem';
  readonly status: number;
  /** One of docs/errors.md; programs may rely on it. */
  readonly code: string;
  /** What the answer holds beside: `problems` of rejected definitions, the `nearest` device, … */
  readonly members: Readonly<Record<string, unknown>>;

  constructor(status: number, code: string, detail: string, members: Readonly<Record<string, unknown>>) {
    super(detail);
    this.status = status;
    this.code = code;
    this.members = members;
  }
}

/** What the body of an answer says, if it is a problem. */
export function parseProblem(body: string): ApiProblem | undefined {
  let value: unknown;
  try {
    value = JSON.parse(body);
  } catch {
    return undefined;
  }
  if (typeof value !== 'object' || value === null) return undefined;
  const { type: _type, title: _title, status, code, detail, ...members } = value as Record<string, unknown>;
  if (typeof status !== 'number' || typeof code !== 'string' || typeof detail !== 'string') return undefined;
  return new ApiProblem(status, code, detail, members);
}
