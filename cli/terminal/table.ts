import { stdout } from 'node:process';
import { stripVTControlCharacters } from 'node:util';
import { colours } from './colours.ts';

/** Columns that are narrower than this are not wrapped: the text would become hard to read. */
const leastWrapped = 20;
/** Spaces between two columns. */
const gutter = 2;

/** The columns of the terminal; unlimited when standard output is not a terminal. */
export function terminalWidth(): number {
  return stdout.isTTY ? stdout.columns : Number.POSITIVE_INFINITY;
}

/**
 * Each column is as wide as its widest cell, with two spaces between columns. The last one is not padded; in a table that is
 * wider than `width` it is wrapped.
 */
export function formatTable(
  header: readonly string[],
  rows: readonly (readonly string[])[],
  width = terminalWidth(),
): string {
  const lines = [header.map((cell) => (cell === '' ? '' : colours.dim(cell))), ...rows];
  const widths = header.map((_, column) =>
    lines.reduce((widest, cells) => Math.max(widest, widthOf(cells[column] ?? '')), 0),
  );
  const indent = widths.slice(0, -1).reduce((sum, columnWidth) => sum + columnWidth + gutter, 0);
  return lines
    .map((cells) => {
      const before = cells
        .slice(0, widths.length - 1)
        .map((cell, column) => padTo(cell, widths[column]! + gutter));
      return (before.join('') + wrap(cells[widths.length - 1] ?? '', indent, width)).trimEnd();
    })
    .join('\n');
}

/** Names with their texts, one pair per line. A text that does not fit into `width` is wrapped. */
export function formatPairs(
  pairs: readonly (readonly [name: string, text: string])[],
  width = terminalWidth(),
): string {
  const indent = gutter + Math.max(0, ...pairs.map(([name]) => name.length));
  return pairs
    .map(([name, text]) => (padTo(colours.dim(name), indent) + wrap(text, indent, width)).trimEnd())
    .join('\n');
}

/** Breaks a text that starts after `indent` columns at its spaces, and indents the lines that follow. */
function wrap(text: string, indent: number, width: number): string {
  const room = width - indent;
  if (room < leastWrapped || widthOf(text) <= room) return text;
  const lines: string[] = [];
  for (const word of text.split(' ')) {
    const joined = lines.length === 0 ? word : `${lines.at(-1)} ${word}`;
    if (lines.length > 0 && widthOf(joined) > room) lines.push(word);
    else lines[Math.max(0, lines.length - 1)] = joined;
  }
  return lines.join(`\n${' '.repeat(indent)}`);
}

function padTo(cell: string, width: number): string {
  return cell + ' '.repeat(Math.max(0, width - widthOf(cell)));
}

function widthOf(cell: string): number {
  return stripVTControlCharacters(cell).length;
}
