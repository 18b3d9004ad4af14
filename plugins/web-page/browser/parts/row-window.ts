/** Which rows of a long table are drawn, and how much room the others take. */
export interface RowWindow {
  readonly first: number;
  /** The row after the last one. */
  readonly end: number;
  readonly pixelsBefore: number;
  readonly pixelsAfter: number;
}

const spareRows = 8;

/** The rows that are visible at this position, with some spare ones on both sides. */
export function findRowWindow(
  rows: number,
  rowPixels: number,
  scrolledPixels: number,
  visiblePixels: number,
): RowWindow {
  const top = Math.max(0, Math.floor(scrolledPixels / rowPixels) - spareRows);
  const first = Math.min(top, Math.max(0, rows - 1));
  const end = Math.min(rows, Math.ceil((scrolledPixels + visiblePixels) / rowPixels) + spareRows);
  return {
    first,
    end: Math.max(first, end),
    pixelsBefore: first * rowPixels,
    pixelsAfter: Math.max(0, rows - Math.max(first, end)) * rowPixels,
  };
}

/** Where to scroll so that a row is visible; undefined when it is. */
export function scrollFor(
  row: number,
  rowPixels: number,
  scrolledPixels: number,
  visiblePixels: number,
): number | undefined {
  const top = row * rowPixels;
  if (top < scrolledPixels) return top;
  if (top + rowPixels > scrolledPixels + visiblePixels) return top + rowPixels - visiblePixels;
  return undefined;
}
