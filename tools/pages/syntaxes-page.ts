import type { Syntax } from '../../src/definitions/syntax/syntax.ts';
import { syntaxes } from '../../src/definitions/syntax/syntax-table.ts';
import { renderTable } from './markdown-table.ts';

/** The text of docs/syntaxes.md. */
export function renderSyntaxes(): string {
  const families = new Map<string, Syntax[]>();
  for (const syntax of syntaxes)
    families.set(syntax.family, [...(families.get(syntax.family) ?? []), syntax]);
  return [
    '# Syntaxes',
    `The ${syntaxes.length} values of \`syntax\` of an attribute or an index part. The syntax decides how a value is decoded, scaled and named.`,
    'The suffix is added to the field in `name`. Durations are in milliseconds, timestamps in milliseconds since 1970, and percentages of 100, unless the poller is configured otherwise. A value that does not decode is a gap with the reason `decode`.',
    '```sh\nwaywiser show object IF-MIB::ifXEntry  # the syntax of each attribute, with its field and unit\n```',
    ...[...families].map(renderFamily),
  ]
    .join('\n\n')
    .concat('\n');
}

function renderFamily([family, members]: readonly [string, readonly Syntax[]]): string {
  const heading = `## ${family.charAt(0).toUpperCase()}${family.slice(1)}`;
  return `${heading}\n\n${renderTable(columns, members.map(cellsOf))}`;
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
