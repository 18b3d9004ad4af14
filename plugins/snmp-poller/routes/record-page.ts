import { type Batch, defineErrors, HttpProblem, type Rows } from '../../../src/index.ts';
import { compareNatural } from '../../../src/natural-order.ts';
import { pollerErrors } from '../errors.ts';
import { type ShownRow, showRow } from './shown-row.ts';

/** A page must be written in a few milliseconds, because polling shares the event loop. */
const maxValues = 5_000;
const maxCharacters = 1 << 19;

/** A part of the rows of all records of a device. */
interface RecordPage {
  /** Of all pages. */
  readonly rows: number;
  readonly records: readonly PagedRecord[];
  /** The cursor of the next page; absent on the last page. */
  readonly next?: string;
}

interface PagedRecord {
  readonly record: string;
  readonly plan: string;
  readonly generation: number;
  readonly slotAt: string;
  readonly at: string;
  readonly fields: readonly { readonly field: string; readonly unit?: string }[];
  readonly rows: readonly ShownRow[];
}

/** A row of a record. */
interface Place {
  readonly record: string;
  readonly plan: string;
  readonly key: string;
}

/**
 * Returns the rows behind the one that the cursor names: record by record, and in the order of their keys. Rows that come and go meanwhile never
 * make a page miss or repeat others.
 */
export function cutPage(batches: readonly Batch[], limit: number, cursor: string | undefined): RecordPage {
  const rows = batches.reduce((sum, batch) => sum + batch.rows.count, 0);
  const after = cursor === undefined ? undefined : readCursor(cursor);
  const page = { rows: 0, values: 0, characters: 0 };
  const isFull = () => page.rows >= limit || page.values >= maxValues || page.characters >= maxCharacters;
  const records: { readonly batch: Batch; readonly shown: ShownRow[] }[] = [];
  let last: Place | undefined;
  let next: string | undefined;
  for (const batch of [...batches].sort(compareRecords)) {
    const { record, plan } = batch;
    const order = after === undefined ? 1 : compareRecords(batch, after);
    if (order < 0) continue;
    const shown: ShownRow[] = [];
    for (const row of inOrder(batch.rows, order === 0 ? after?.key : undefined)) {
      if (isFull()) {
        next = last && cursorAfter(last);
        break;
      }
      const one = showRow(batch, row);
      shown.push(one);
      last = { record, plan, key: batch.rows.keys[row] ?? '' };
      page.rows++;
      page.values += batch.columns.length;
      page.characters += countCharacters(one);
    }
    if (shown.length > 0) records.push({ batch, shown });
    if (next !== undefined) break;
  }
  return {
    rows,
    records: records.map(({ batch: { record, plan, generation, slotMs, timeMs, columns }, shown }) => ({
      record,
      plan,
      generation,
      slotAt: new Date(slotMs).toISOString(),
      at: new Date(timeMs).toISOString(),
      fields: columns.map(({ field, unit }) => ({ field, ...(unit === undefined ? {} : { unit }) })),
      rows: shown,
    })),
    ...(next === undefined ? {} : { next }),
  };
}

function countCharacters({ labels, values }: ShownRow): number {
  let characters = 0;
  for (const value of [...Object.values(labels), ...Object.values(values)]) {
    if (typeof value === 'string') characters += value.length;
  }
  return characters;
}

const failure = defineErrors(pollerErrors);

/** The positions of the rows behind a key, in the order of their keys. It sorts no further than it is read: a page needs few of many rows. */
function* inOrder({ count, keys }: Rows, after: string | undefined): Generator<number> {
  const keyOf = (row: number) => keys[row] ?? '';
  const heap: number[] = [];
  for (let row = 0; row < count; row++)
    if (after === undefined || compareKeys(keyOf(row), after) > 0) heap.push(row);
  const sink = (from: number) => {
    for (let at = from; ; ) {
      const [left, right] = [2 * at + 1, 2 * at + 2];
      if (left >= heap.length) return;
      const isRight = right < heap.length && compareKeys(keyOf(heap[right]!), keyOf(heap[left]!)) < 0;
      const child = isRight ? right : left;
      if (compareKeys(keyOf(heap[at]!), keyOf(heap[child]!)) <= 0) return;
      [heap[at], heap[child]] = [heap[child]!, heap[at]!];
      at = child;
    }
  };
  for (let at = (heap.length >> 1) - 1; at >= 0; at--) sink(at);
  while (heap.length > 0) {
    yield heap[0]!;
    const last = heap.pop()!;
    if (heap.length === 0) return;
    heap[0] = last;
    sink(0);
  }
}

function compareKeys(a: string, b: string): number {
  return compareNatural(a, b) || compareTexts(a, b);
}

function compareRecords(a: Pick<Place, 'record' | 'plan'>, b: Pick<Place, 'record' | 'plan'>): number {
  return compareTexts(a.record, b.record) || compareTexts(a.plan, b.plan);
}

function compareTexts(a: string, b: string): number {
  return a === b ? 0 : a < b ? -1 : 1;
}

function cursorAfter({ record, plan, key }: Place): string {
  return Buffer.from(JSON.stringify(['v2', record, plan, key])).toString('base64url');
}

function readCursor(cursor: string): Place {
  try {
    const [version, record, plan, key] = JSON.parse(Buffer.from(cursor, 'base64url').toString());
    if (version === 'v2' && [record, plan, key].every((each) => typeof each === 'string'))
      return { record, plan, key };
  } catch {
    // The same answer as for other texts that are no cursors.
  }
  const { code, message } = failure('POLL_CURSOR_INVALID', {});
  throw new HttpProblem(400, code, message);
}
