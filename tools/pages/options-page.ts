import { cwd } from 'node:process';
import { listOptions } from '../../cli/authoring/option-list.ts';
import { createPluginFinder } from '../../src/collector/built-in-plugins.ts';
import { collectorSchema } from '../../src/kernel/config-file.ts';
import type { TSchema } from '../../src/typebox.ts';
import { renderTable } from './markdown-table.ts';

/** The text of docs/options.md: the collector's own keys, and every option of every built-in plugin. */
export async function renderOptions(): Promise<string> {
  const finder = createPluginFinder(cwd());
  const plugins = await Promise.all(finder.builtInNames.map((name) => finder.find(name)));
  const sections = plugins.map(({ plugin: { name, kind, summary, options } }) => ({
    heading: `## ${name}\n\n${summary} (${kind})`,
    isOutput: kind === 'output',
    rows: listRows(options),
  }));
  const shared = findShared(sections.filter(({ isOutput }) => isOutput).map(({ rows }) => rows));
  const parts = [
    '# Options',
    introduction,
    commands,
    `## The collector\n\n${renderRows(listRows(collectorSchema))}`,
    `## Every output\n\nOutputs have these options beside their own. [Delivery](delivery.md) explains them.\n\n${renderRows(shared)}`,
    ...sections.map(({ heading, isOutput, rows }) => {
      if (!isOutput) return `${heading}\n\n${renderRows(rows)}`;
      return `${heading}\n\n${renderRows(without(rows, shared))}\n\nAnd the options of [every output](#every-output).`;
    }),
  ];
  return `${parts.join('\n\n')}\n`;
}

type Row = readonly string[];

const introduction =
  'What `waywiser.yml` can contain. Relative paths start at that file; a secret is written as `${env:NAME}` or `${file:name}`. Each option can be set by an environment variable: `port` of `http-api` by `WAYWISER_PLUGINS__HTTP_API__PORT`.';

const commands = `\`\`\`sh
waywiser plugins snmp-poller  # the same in a terminal
waywiser schema               # as a JSON Schema, for editors
\`\`\``;

function listRows(schema: TSchema): Row[] {
  return listOptions(schema).map((option) => [
    `\`${option.name}\``,
    option.type,
    option.isRequired
      ? 'required'
      : option.default === undefined
        ? ''
        : `\`${JSON.stringify(option.default)}\``,
    option.description,
  ]);
}

/** The rows that all tables have, to the letter. */
function findShared([first = [], ...others]: readonly Row[][]): Row[] {
  return first.filter((row) => others.every((rows) => without([row], rows).length === 0));
}

function without(rows: readonly Row[], left: readonly Row[]): Row[] {
  const texts = new Set(left.map(String));
  return rows.filter((row) => !texts.has(String(row)));
}

function renderRows(rows: readonly Row[]): string {
  return rows.length === 0
    ? 'It has no options.'
    : renderTable(['option', 'type', 'default', 'meaning'], rows);
}
