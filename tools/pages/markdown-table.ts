/** A column with a wider cell is not padded: one cell would make every line as long. */
const maxPadded = 1000;

/** A table as GitHub reads it, its columns padded as the formatter leaves them. */
export function renderTable(columns: readonly string[], rows: readonly (readonly string[])[]): string {
  const table = [columns, ...rows].map((cells) => cells.map(escapeCell));
  const widths = columns.map((_, i) => {
    const width = Math.max(3, ...table.map((cells) => cells[i]!.length));
    return width > maxPadded ? 3 : width;
  });
  const [head = '', ...body] = table.map(
    (cells) => `| ${cells.map((cell, i) => cell.padEnd(widths[i]!)).join(' | ')} |`,
  );
  return [head, `| ${widths.map((width) => '-'.repeat(width)).join(' | ')} |`, ...body].join('\n');
}

function escapeCell(cell: string): string {
  return cell.replaceAll('|', '\\|').replaceAll('\n', ' ');
}
