import type { Syntax } from './syntax.ts';
import { syntaxes } from './syntax-table.ts';

/** The text of docs/syntaxes.md. */
export function renderSyntaxes(): string {
  const families = new Map<string, Syntax[]>();
  for (const syntax of syntaxes)
    families.set(syntax.family, [...(families.get(syntax.family) ?? []), syntax]);
  return [
    '# Syntaxes',
    `How a value is decoded, scaled and named: the ${syntaxes.length} names that \`syntax\` of an attribute or an index part can have.`,
    'A suffix is added to the field that `name` gives. Durations come in milliseconds, timestamps in milliseconds since 1970 and percents of 100, unless the poller is configured otherwise. A value that does not decode is a gap with the reason `decode`.',
    '```sh\nwaywiser show object IF-MIB::ifXEntry  # the syntax of each attribute, with its field and unit\n```',
    ...[...families].map(renderFamily),
  ]
    .join('\n\n')
    .concat('\n');
}

function renderFamily([family, members]: readonly [string, readonly Syntax[]]): string {
  const heading = `## ${family.charAt(0).toUpperCase()}${family.slice(1)}`;
  return `${heading}\n\n${renderTable([columns, ...members.map(cellsOf)])}`;
}

const columns = ['syntax', 'takes', 'kind', 'suffix', 'unit', 'meaning', 'example'];

function cellsOf(syntax: Syntax): string[] {
  const [raw, value] = syntax.example;
  const suffixes = [syntax.suffix, syntax.companion?.suffix ?? ''].filter((suffix) => suffix !== '');
  return [
    `\`${syntax.name}\``,
    syntax.input,
    syntax.kind,
    suffixes.map((suffix) => `\`${suffix}\``).join(', '),
    syntax.unit ?? '',
    syntax.description,
    value === '' ? '' : `\`${raw}\` → \`${value}\``,
  ];
}

/** Columns padded to one width, as the formatter leaves them. */
function renderTable([head = [], ...body]: readonly (readonly string[])[]): string {
  const widths = head.map((title, column) =>
    Math.max(title.length, ...body.map((cells) => cells[column]?.length ?? 0)),
  );
  const line = (cells: readonly string[], fill: string): string =>
    `| ${cells.map((cell, column) => cell.padEnd(widths[column] ?? 0, fill)).join(' | ')} |`;
  return [
    line(head, ' '),
    line(
      head.map(() => '-'),
      '-',
    ),
    ...body.map((cells) => line(cells, ' ')),
  ].join('\n');
}
