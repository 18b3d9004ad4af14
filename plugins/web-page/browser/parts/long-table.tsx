import type { ComponentChildren } from 'preact';
import { useEffect, useRef, useState } from 'preact/hooks';
import { findRowWindow, scrollFor } from './row-window.ts';

export interface Column<Row> {
  readonly id: string;
  readonly title: string;
  /** A class for the cells, such as `right`. */
  readonly className?: string;
  readonly isSortable?: boolean;
  show(row: Row): ComponentChildren;
}

interface LongTableProps<Row> {
  readonly label: string;
  readonly rows: readonly Row[];
  readonly columns: readonly Column<Row>[];
  readonly keyOf: (row: Row) => string;
  /** Enter, or a click anywhere in the row. */
  readonly onOpen?: (row: Row) => void;
  /** The last rows are near. */
  readonly onEnd?: () => void;
  readonly sortedBy?: { readonly id: string; readonly isDescending: boolean } | undefined;
  readonly onSort?: (id: string) => void;
  /** Rows that are drawn. Called when they change, and when the function does. */
  readonly onWindow?: (rows: readonly Row[]) => void;
}

const rowPixels = 34;

/** A table that draws only the rows that are visible. Arrow keys, j, k, Home and End move; Enter opens. */
export function LongTable<Row>(props: LongTableProps<Row>) {
  const { label, rows, columns, keyOf, onOpen, onEnd, sortedBy, onSort, onWindow } = props;
  const box = useRef<HTMLDivElement>(null);
  const [scrolled, setScrolled] = useState(0);
  const [height, setHeight] = useState(600);
  const [chosen, setChosen] = useState(-1);
  useEffect(() => {
    const observer = new ResizeObserver(() => setHeight(box.current?.clientHeight ?? 600));
    observer.observe(box.current!);
    return () => observer.disconnect();
  }, []);
  const { first, end, pixelsBefore, pixelsAfter } = findRowWindow(rows.length, rowPixels, scrolled, height);
  const shown = rows.slice(first, end);
  useEffect(() => {
    if (end >= rows.length) onEnd?.();
  }, [end, rows.length, onEnd]);
  const shownKeys = shown.map(keyOf).join('\n');
  useEffect(() => onWindow?.(shown), [shownKeys, onWindow]);

  const move = (to: number) => {
    const row = Math.min(Math.max(to, 0), rows.length - 1);
    setChosen(row);
    const top = scrollFor(row, rowPixels, scrolled, height - rowPixels);
    if (top !== undefined) box.current?.scrollTo({ top });
  };
  const onKeyDown = (event: KeyboardEvent) => {
    const page = Math.floor(height / rowPixels) - 1;
    const target = findTarget(event.key, { chosen, page, last: rows.length - 1 });
    if (target !== undefined && !event.ctrlKey && !event.metaKey) {
      event.preventDefault();
      move(target);
    } else if (event.key === 'Enter' && event.target === box.current && rows[chosen] !== undefined) {
      onOpen?.(rows[chosen]);
    }
  };
  return (
    <section
      class="long-table"
      ref={box}
      // biome-ignore lint/a11y/noNoninteractiveTabindex: a box that scrolls must be reachable by keyboard.
      tabIndex={0}
      aria-label={label}
      onKeyDown={onKeyDown}
      onScroll={() => setScrolled(box.current!.scrollTop)}
    >
      <table aria-rowcount={rows.length + 1}>
        <ColumnTitles columns={columns} sortedBy={sortedBy} onSort={onSort} />
        <tbody>
          {pixelsBefore > 0 && <tr class="room" style={{ height: `${pixelsBefore}px` }} />}
          {shown.map((row, i) => (
            <tr
              key={keyOf(row)}
              aria-rowindex={first + i + 2}
              class={first + i === chosen ? 'chosen' : undefined}
              onClick={(event) => {
                if (onOpen === undefined || (event.target as Element).closest('a, button') !== null) return;
                onOpen(row);
              }}
            >
              {columns.map(({ id, className, show }) => (
                <td key={id} class={className}>
                  {show(row)}
                </td>
              ))}
            </tr>
          ))}
          {pixelsAfter > 0 && <tr class="room" style={{ height: `${pixelsAfter}px` }} />}
        </tbody>
      </table>
    </section>
  );
}

/** The row that a key moves to; undefined for any other key. */
function findTarget(
  key: string,
  { chosen, page, last }: { readonly chosen: number; readonly page: number; readonly last: number },
): number | undefined {
  const targets: Readonly<Record<string, number>> = {
    ArrowDown: chosen + 1,
    j: chosen + 1,
    ArrowUp: chosen - 1,
    k: chosen - 1,
    Home: 0,
    End: last,
    PageDown: chosen + page,
    PageUp: chosen - page,
  };
  return targets[key];
}

interface ColumnTitlesProps<Row> extends Pick<LongTableProps<Row>, 'columns' | 'sortedBy'> {
  readonly onSort: LongTableProps<Row>['onSort'] | undefined;
}

function ColumnTitles<Row>({ columns, sortedBy, onSort }: ColumnTitlesProps<Row>) {
  const direction = sortedBy?.isDescending === true ? 'descending' : 'ascending';
  return (
    <thead>
      <tr>
        {columns.map(({ id, title, className, isSortable }) => (
          <th key={id} class={className} aria-sort={sortedBy?.id === id ? direction : undefined}>
            {isSortable === true ? (
              <button type="button" class="sort" onClick={() => onSort?.(id)}>
                {title}
                <span aria-hidden="true">
                  {sortedBy?.id === id ? (direction === 'descending' ? ' ↓' : ' ↑') : ''}
                </span>
              </button>
            ) : (
              title
            )}
          </th>
        ))}
      </tr>
    </thead>
  );
}
