import { cwd } from 'node:process';
import { createPluginFinder } from '../../src/collector/index.ts';
import { type Plugin, pluginKinds } from '../../src/kernel/index.ts';
import { colours } from '../terminal/colours.ts';
import { exitCodes } from '../terminal/exit-codes.ts';
import { formatTable } from '../terminal/table.ts';
import { listOptions } from './option-list.ts';

/** `waywiser plugins [NAME]`: lists all built-in plugins, or shows one with a table of its options. */
export async function showPlugins(
  name: string | undefined,
  { json }: { readonly json?: boolean },
): Promise<number> {
  const finder = createPluginFinder(cwd());
  const names = name === undefined ? finder.builtInNames : [name];
  const plugins = await Promise.all(names.map(async (each) => (await finder.find(each)).plugin));
  if (json) console.log(JSON.stringify(plugins.map(describePlugin), undefined, 2));
  else if (name === undefined) console.log(formatList(plugins));
  else for (const plugin of plugins) console.log(formatPlugin(plugin));
  return exitCodes.done;
}

function describePlugin(plugin: Plugin) {
  const { name, kind, summary, needs, provides } = plugin;
  return {
    name,
    kind,
    summary,
    needs: Object.values(needs).map((token) => token.name),
    provides: provides?.name ?? null,
    options: listOptions(plugin.options),
  };
}

function formatList(plugins: readonly Plugin[]): string {
  const rows = pluginKinds.flatMap((kind) =>
    plugins
      .filter((plugin) => plugin.kind === kind)
      .map(({ name, summary }) => [kind, colours.cyan(name), summary]),
  );
  return formatTable(['kind', 'plugin', 'what it does'], rows);
}

function formatPlugin(plugin: Plugin): string {
  const { name, kind, summary, needs, provides } = describePlugin(plugin);
  const options = listOptions(plugin.options).map((option) => [
    colours.cyan(option.name),
    option.type,
    option.default === undefined ? (option.isRequired ? 'required' : '') : JSON.stringify(option.default),
    option.description,
  ]);
  return [
    `${colours.bold(name)} (${kind})  ${summary}`,
    `needs ${needs.join(', ') || 'nothing'}; provides ${provides ?? 'nothing'}`,
    '',
    options.length === 0
      ? 'It has no options.'
      : formatTable(['option', 'type', 'default', 'meaning'], options),
  ].join('\n');
}
