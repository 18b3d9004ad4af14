import { stripVTControlCharacters } from 'node:util';
import colours from 'picocolors';

/** Columns as wide as their widest cell, two spaces apart; the last one is not padded. */
export function formatTable(header: readonly string[], rows: readonly (readonly string[])[]): string {
  const lines = [header.map((cell) => colours.dim(cell)), ...rows];
  const widths = header.map((_, column) => Math.max(...lines.map((cells) => widthOf(cells[column] ?? ''))));
  return lines
    .map((cells) =>
      cells
        .map((cell, column) => cell + ' '.repeat(Math.max(0, (widths[column] ?? 0) - widthOf(cell))))
        .join('  ')
        .trimEnd(),
    )
    .join('\n');
}

/** Names and what they stand for, one pair a line. */
export function formatPairs(pairs: readonly (readonly [name: string, text: string])[]): string {
  const width = Math.max(0, ...pairs.map(([name]) => name.length));
  return pairs.map(([name, text]) => `${colours.dim(name.padEnd(width))}  ${text}`.trimEnd()).join('\n');
}

function widthOf(cell: string): number {
  return stripVTControlCharacters(cell).length;
}
