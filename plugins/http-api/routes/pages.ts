import { Type } from '../../../src/index.ts';
import { problem } from '../problem/problem.ts';

/** The query parameters of a list that is read page by page. */
export const pageQuery = {
  limit: Type.Integer({ minimum: 1, maximum: 1000, default: 100 }),
  cursor: Type.Optional(Type.String({ maxLength: 2000, description: '`next` of the previous page' })),
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

/** A part of a list that keeps its order. A page can repeat or miss an entry only when the list changes meanwhile. */
export function cutList<Item>(
  items: readonly Item[],
  { limit, cursor }: PageRequest,
): { readonly page: readonly Item[]; readonly facts: { readonly total: number; readonly next?: string } } {
  const start = positionOf(cursor);
  const end = start + limit;
  const total = items.length;
  const facts = { total, ...(end < total ? { next: cursorOf(end) } : {}) };
  return { page: items.slice(start, end), facts };
}

export function cursorOf(position: number): string {
  return Buffer.from(`v1 ${position}`).toString('base64url');
}

export function positionOf(cursor: string | undefined): number {
  if (cursor === undefined) return 0;
  const [, position] = /^v1 (\d{1,9})$/.exec(Buffer.from(cursor, 'base64url').toString()) ?? [];
  if (position === undefined)
    throw problem('HTTP_INPUT_INVALID', { reason: 'the cursor is not one that a page returned' });
  return Number(position);
}
