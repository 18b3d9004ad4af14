import { parseWholeNumber } from '../terminal/whole-number.ts';

interface PageQuery {
  readonly limit: number;
  readonly cursor?: string;
}

interface Page<Item> {
  readonly items: readonly Item[];
  readonly total: number;
  readonly next?: string;
}

const pageSize = 500;

/** Reads a list of the API page by page, until its end or the number of `--limit`. */
export async function readPages<Item>(
  limit: string,
  read: (query: PageQuery) => Promise<Page<Item>>,
): Promise<{ readonly items: readonly Item[]; readonly total: number }> {
  const wanted = parseWholeNumber(limit, { option: '--limit', least: 1 });
  const items: Item[] = [];
  let cursor: string | undefined;
  let total = 0;
  do {
    const size = Math.min(pageSize, wanted - items.length);
    const page = await read({ limit: size, ...(cursor === undefined ? {} : { cursor }) });
    items.push(...page.items);
    total = page.total;
    cursor = page.next;
  } while (cursor !== undefined && items.length < wanted);
  return { items, total };
}

/** The line below a list. */
export function countShown(shown: number, total: number, what: string): string {
  return `${shown} of ${total} ${what}${shown < total ? '; use --limit to see more' : ''}`;
}
