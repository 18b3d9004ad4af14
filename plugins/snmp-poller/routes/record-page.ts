import { type Batch, defineErrors, HttpProblem } from '../../../src/index.ts';
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

/** Returns the rows of all records, one after the other, from the cursor on. */
export function cutPage(batches: readonly Batch[], limit: number, cursor: string | undefined): RecordPage {
  const rows = batches.reduce((sum, batch) => sum + batch.rows.count, 0);
  const start = cursor === undefined ? 0 : positionOf(cursor);
  const page = { rows: 0, values: 0, characters: 0 };
  const isFull = () => page.rows >= limit || page.values >= maxValues || page.characters >= maxCharacters;
  const records: { readonly batch: Batch; readonly shown: ShownRow[] }[] = [];
  let first = 0;
  for (const batch of batches) {
    const shown: ShownRow[] = [];
    for (let row = Math.max(0, start - first); row < batch.rows.count && !isFull(); row++) {
      const one = showRow(batch, row);
      shown.push(one);
      page.rows++;
      page.values += batch.columns.length;
      page.characters += countCharacters(one);
    }
    if (shown.length > 0) records.push({ batch, shown });
    first += batch.rows.count;
  }
  const end = start + page.rows;
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
    ...(page.rows > 0 && end < rows ? { next: cursorOf(end) } : {}),
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

function cursorOf(position: number): string {
  return Buffer.from(`v1 ${position}`).toString('base64url');
}

function positionOf(cursor: string): number {
  const [, position] = /^v1 (\d{1,9})$/.exec(Buffer.from(cursor, 'base64url').toString()) ?? [];
  if (position !== undefined) return Number(position);
  const { code, message } = failure('POLL_CURSOR_INVALID', {});
  throw new HttpProblem(400, code, message);
}
