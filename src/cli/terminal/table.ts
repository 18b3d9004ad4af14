import { stripVTControlCharacters } from 'node:util';
import colours from 'picocolors';

/** Each column is as wide as its widest cell, with two spaces between columns. The last one is not padded. */
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

/** Names with their texts, one pair per line. */
export function formatPairs(pairs: readonly (readonly [name: string, text: string])[]): string {
  const width = Math.max(0, ...pairs.map(([name]) => name.length));
  return pairs.map(([name, text]) => `${colours.dim(name.padEnd(width))}  ${text}`.trimEnd()).join('\n');
}

function widthOf(cell: string): number {
  return stripVTControlCharacters(cell).length;
}
