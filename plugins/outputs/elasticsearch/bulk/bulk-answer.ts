/** What became of each document of a request. */
export type ItemOutcome =
  | { readonly kind: 'taken' }
  | { readonly kind: 'later' | 'refused'; readonly reason: string };

/** About who writes, where, or how much at a time, and not about the document. */
const passing = new Set([401, 403, 404, 429]);

/**
 * The outcomes in the order of the documents. A document that was there already (409) is taken: it came twice. Throws where the
 * answer is none, or one to another request. `quote` makes words of the other side fit for a log.
 */
export function readBulkAnswer(
  body: Buffer,
  documents: number,
  quote: (text: string) => string,
): ItemOutcome[] {
  const { items } = parse(body);
  if (!Array.isArray(items) || items.length !== documents) {
    throw new Error('the answer is none to a bulk request: is this Elasticsearch or OpenSearch?');
  }
  return items.map((item) => readItem(item, quote));
}

function parse(body: Buffer): { readonly items?: unknown } {
  try {
    return (JSON.parse(body.toString()) ?? {}) as { readonly items?: unknown };
  } catch {
    return {};
  }
}

function readItem(item: unknown, quote: (text: string) => string): ItemOutcome {
  const [outcome] = Object.values((item ?? {}) as Record<string, Item | undefined>);
  const status = outcome?.status;
  if (typeof status !== 'number') return { kind: 'later', reason: 'no status' };
  if ((status >= 200 && status < 300) || status === 409) return { kind: 'taken' };
  const { type = 'unknown', reason = '' } = outcome?.error ?? {};
  const text = `${status} ${quote(`${type}: ${reason}`)}`;
  return { kind: passing.has(status) || status >= 500 ? 'later' : 'refused', reason: text };
}

interface Item {
  readonly status?: unknown;
  readonly error?: { readonly type?: unknown; readonly reason?: unknown };
}
