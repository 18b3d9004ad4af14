/** The result of one document of a request. */
export type ItemResult =
  | { readonly kind: 'accepted' }
  | { readonly kind: 'later' | 'refused'; readonly reason: string };

/** Statuses that are about the login, the index or the load, and not about the document. */
const retryable = new Set([401, 403, 404, 429]);

/**
 * Returns the results in the order of the documents. A document that exists already (409) counts as accepted: it was sent twice. Throws if
 * the answer does not belong to a bulk request of this size. `quote` makes texts of the server safe for a log.
 */
export function readBulkAnswer(
  body: Buffer,
  documents: number,
  quote: (text: string) => string,
): ItemResult[] {
  const { items } = parse(body);
  if (!Array.isArray(items) || items.length !== documents) {
    throw new Error(
      'The answer is not that of a bulk request. Check that the url is that of Elasticsearch or OpenSearch.',
    );
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

function readItem(item: unknown, quote: (text: string) => string): ItemResult {
  const [result] = Object.values((item ?? {}) as Record<string, Item | undefined>);
  const status = result?.status;
  if (typeof status !== 'number') return { kind: 'later', reason: 'no status' };
  if ((status >= 200 && status < 300) || status === 409) return { kind: 'accepted' };
  const { type = 'unknown', reason = '' } = result?.error ?? {};
  const text = `${status} ${quote(`${type}: ${reason}`)}`;
  return { kind: retryable.has(status) || status >= 500 ? 'later' : 'refused', reason: text };
}

interface Item {
  readonly status?: unknown;
  readonly error?: { readonly type?: unknown; readonly reason?: unknown };
}
