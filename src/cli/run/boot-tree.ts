import { type CollectorDescription, pluginKinds } from '../../kernel/plugin.ts';
import { formatTable } from '../terminal/table.ts';

/** The boot tree as a table: what started in which order, what it uses, and how long it took. */
export function formatBootTree({ bootMs, plugins }: CollectorDescription): string {
  const rows = pluginKinds.flatMap((kind) =>
    plugins
      .filter((plugin) => plugin.kind === kind)
      .map(({ name, state, startMs, needs }) => [
        kind,
        name,
        state,
        `${startMs.toFixed(1)} ms`,
        needs.join(', '),
      ]),
  );
  return `${formatTable(['kind', 'plugin', 'state', 'start', 'uses'], rows)}\n${plugins.length} plugins in ${bootMs.toFixed(0)} ms`;
}
