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
      const rows = Object.entries(table).map(([code, entry]) => {
        const { level, sentence } = typeof entry === 'string' ? { level: '', sentence: entry } : entry;
        return isRules ? [`\`${code}\``, level, sentence] : [`\`${code}\``, sentence];
      });
      const columns = isRules ? ['rule', 'level', 'what it means'] : ['code', 'what it says'];
      return `## ${writeTitle(name)}\n\n${renderTable(columns, rows)}`;
    });
  const introduction =
    'Programs may rely on every code; sentences can change. A `{word}` stands for the name or value in the case at hand.';
  return `${['# Errors', introduction, commands, ...sections].join('\n\n')}\n`;
}

const abbreviations: Readonly<Record<string, string>> = {
  Api: 'API',
  Cli: 'Command line',
  Http: 'HTTP',
  Snmp: 'SNMP',
};

/** `httpDeviceErrors` becomes `HTTP device errors`. */
function writeTitle(name: string): string {
  const words = `${name.charAt(0).toUpperCase()}${name.slice(1)}`.match(/[A-Z][a-z]*/g) ?? [];
  return words.map((word, i) => abbreviations[word] ?? (i === 0 ? word : word.toLowerCase())).join(' ');
}

const commands = `\`\`\`sh
waywiser check --json definitions  # the problems of definition files, each with its rule
\`\`\``;

type Table = Readonly<Record<string, string | { readonly level: string; readonly sentence: string }>>;

/** Every table of errors and rules, by its name. */
export async function findErrorTables(): Promise<Map<string, Table>> {
  const files = ['src', 'plugins', 'authoring', 'cli'].flatMap((folder) =>
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
