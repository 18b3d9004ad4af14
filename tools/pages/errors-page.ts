import { readdirSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { renderTable } from './markdown-table.ts';

const root = fileURLToPath(new URL('../../', import.meta.url));

/** The text of docs/errors.md: every table `…Errors` of an errors file and every table `…Rules` of a rules file. */
export async function renderErrors(): Promise<string> {
  const tables = await findErrorTables();
  const sections = [...tables]
    .sort(([a], [b]) => a.localeCompare(b))
    .map(([name, table]) => {
      const isRules = name.endsWith('Rules');
      const title = name.replace(/(Errors|Rules)$/, (kind) => ` ${kind.toLowerCase()}`);
      const rows = Object.entries(table).map(([code, entry]) => {
        const { level, sentence } = typeof entry === 'string' ? { level: '', sentence: entry } : entry;
        return isRules ? [`\`${code}\``, level, sentence] : [`\`${code}\``, sentence];
      });
      const columns = isRules ? ['rule', 'level', 'what it means'] : ['code', 'what it says'];
      return `## ${title.charAt(0).toUpperCase()}${title.slice(1)}\n\n${renderTable(columns, rows)}`;
    });
  const introduction =
    'Every code is public: programs may rely on it, sentences may get better. A `{word}` is filled with what happened.';
  return `${['# Errors', introduction, commands, ...sections].join('\n\n')}\n`;
}

const commands = `\`\`\`sh
waywiser check --json definitions  # the problems of definition files, each with its rule
\`\`\``;

type Table = Readonly<Record<string, string | { readonly level: string; readonly sentence: string }>>;

/** Every table of errors and rules, by its name. */
export async function findErrorTables(): Promise<Map<string, Table>> {
  const files = ['src', 'plugins'].flatMap((folder) =>
    readdirSync(root + folder, { recursive: true, encoding: 'utf8' })
      .filter((path) => /(^|[/-])(errors?|rules)\.[jt]s$/.test(path))
      .map((path) => `${folder}/${path}`),
  );
  const modules = await Promise.all(
    files.map((path): Promise<Record<string, unknown>> => import(root + path)),
  );
  const tables = modules.flatMap((module) =>
    Object.entries(module).filter(
      ([name, value]) => /(Errors|Rules)$/.test(name) && typeof value === 'object',
    ),
  );
  return new Map(tables as [string, Table][]);
}
