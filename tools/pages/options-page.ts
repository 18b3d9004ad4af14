import { cwd } from 'node:process';
import { listOptions } from '../../src/cli/authoring/option-list.ts';
import { createPluginFinder } from '../../src/collector/built-in-plugins.ts';
import { collectorSchema } from '../../src/kernel/config-file.ts';
import type { TSchema } from '../../src/typebox.ts';
import { renderTable } from './markdown-table.ts';

/** The text of docs/options.md: the collector's own keys, and every option of every built-in plugin. */
export async function renderOptions(): Promise<string> {
  const finder = createPluginFinder(cwd());
  const plugins = await Promise.all(finder.builtInNames.map((name) => finder.find(name)));
  const sections = plugins.map(({ plugin: { name, kind, summary, options } }) =>
    [`## ${name}`, `${summary} (${kind})`, renderSchema(options)].join('\n\n'),
  );
  const introduction =
    'What `waywiser.yml` can contain. Relative paths start at that file; a secret is written as `${env:NAME}` or `${file:name}`. Each option can be set by an environment variable: `port` of `http-api` by `WAYWISER_PLUGINS__HTTP_API__PORT`.';
  const parts = [
    '# Options',
    introduction,
    commands,
    '## The collector',
    renderSchema(collectorSchema),
    ...sections,
  ];
  return `${parts.join('\n\n')}\n`;
}

const commands = `\`\`\`sh
waywiser plugins snmp-poller  # the same in a terminal
waywiser schema               # as a JSON Schema, for editors
\`\`\``;

function renderSchema(schema: TSchema): string {
  const rows = listOptions(schema).map((option) => [
    `\`${option.name}\``,
    option.type,
    option.isRequired
      ? 'required'
      : option.default === undefined
        ? ''
        : `\`${JSON.stringify(option.default)}\``,
    option.description,
  ]);
  return rows.length === 0
    ? 'It has no options.'
    : renderTable(['option', 'type', 'default', 'meaning'], rows);
}
