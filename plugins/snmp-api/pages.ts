import { inputProblem } from '../../src/http/index.ts';
import { Type } from '../../src/index.ts';

/** The query parameters of a list that is read page by page. */
export const pageQuery = {
  limit: Type.Integer({ minimum: 1, maximum: 1000, default: 100 }),
  cursor: Type.Optional(Type.String({ maxLength: 4000, description: '`next` of the previous page' })),
};

/** What an answer says about its page. */
export const pageFacts = {
  total: Type.Integer({ description: 'the number of entries on all pages that the filters select' }),
  next: Type.Optional(Type.String({ description: 'the cursor of the next page; absent on the last page' })),
};

interface PageRequest {
  readonly limit: number;
  readonly cursor?: string;
}

/**
 * The page behind the entry that the cursor names. A cursor is the key of an entry and not a position, so that no page misses or repeats an
 * entry because others come and go. `keyOf` is unique, and the list is in the order of its keys, or in the reverse one.
 */
export function cutList<Item>(
  items: readonly Item[],
  { limit, cursor }: PageRequest,
  keyOf: (item: Item) => string | number,
  order: 'ascending' | 'descending' = 'ascending',
): { readonly page: readonly Item[]; readonly facts: { readonly total: number; readonly next?: string } } {
  const after = cursor === undefined ? undefined : readCursor(cursor);
  const isBehind = (item: Item) =>
    after === undefined || (order === 'ascending' ? keyOf(item) > after : keyOf(item) < after);
  const found = items.filter(isBehind);
  const page = found.slice(0, limit);
  const facts = {
    total: items.length,
    ...(found.length > limit ? { next: cursorAfter(keyOf(page.at(-1)!)) } : {}),
  };
  return { page, facts };
}

function cursorAfter(key: string | number): string {
  return Buffer.from(JSON.stringify(['v2', key])).toString('base64url');
}

function readCursor(cursor: string): string | number {
  try {
    const [version, key] = JSON.parse(Buffer.from(cursor, 'base64url').toString());
    if (version === 'v2' && (typeof key === 'string' || Number.isFinite(key))) return key;
  } catch {
    // The same answer as for other texts that are no cursors.
  }
  throw inputProblem('the cursor is not one that a page returned');
}
