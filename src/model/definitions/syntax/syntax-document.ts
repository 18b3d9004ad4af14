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
    ...[...families].map(renderFamily),
  ]
    .join('\n\n')
    .concat('\n');
}

function renderFamily([family, members]: readonly [string, readonly Syntax[]]): string {
  const lines = members.map((syntax) => {
    const [raw, value] = syntax.example;
    const suffixes = [syntax.suffix, syntax.companion?.suffix ?? ''].filter((suffix) => suffix !== '');
    const example = value === '' ? '' : `\`${raw}\` → \`${value}\``;
    const cells = [
      `\`${syntax.name}\``,
      syntax.input,
      syntax.kind,
      suffixes.map((suffix) => `\`${suffix}\``).join(', '),
      syntax.unit ?? '',
      syntax.description,
      example,
    ];
    return `| ${cells.join(' | ')} |`;
  });
  const heading = `## ${family.charAt(0).toUpperCase()}${family.slice(1)}`;
  const head =
    '| syntax | takes | kind | suffix | unit | meaning | example |\n| --- | --- | --- | --- | --- | --- | --- |';
  return `${heading}\n\n${head}\n${lines.join('\n')}`;
}
