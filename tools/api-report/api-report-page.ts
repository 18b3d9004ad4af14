import { readdirSync, readFileSync } from 'node:fs';
import { cwd } from 'node:process';
import { listOptions } from '../../cli/authoring/option-list.ts';
import { createPluginFinder } from '../../src/collector/built-in-plugins.ts';
import { collectorSchema } from '../../src/kernel/config-file.ts';
import type { TSchema } from '../../src/typebox.ts';
import type { ApiDocument } from '../client/render-operations.ts';
import { findErrorTables } from '../pages/errors-page.ts';
import { withDeclarations } from './declarations.ts';
import { type Declared, DeclaredNames } from './declared-names.ts';

/** The text of docs/api-report.md: everything that others may rely on, so that a review sees what a change promises. */
export async function renderApiReport(api: ApiDocument): Promise<string> {
  const introduction =
    'Everything that other programs may rely on, made from the code by `npm run docs`. A change of this page is a change of the public API. Events are the type `EventMap` of `waywiser`.';
  const parts = [
    '# API report',
    introduction,
    commands,
    ...withDeclarations((read) => renderEntries(new DeclaredNames(read))),
    '## HTTP operations',
    renderOperations(api),
    '## Options',
    await renderOptions(),
    '## Error codes',
    await renderErrorCodes(),
  ];
  return `${parts.join('\n\n')}\n`;
}

const commands = `\`\`\`sh
waywiser plugins --json   # the built-in plugins and their options, for programs
\`\`\``;

/** The entry points of the package, by the source of each. */
function listEntries(): (readonly [entry: string, source: string])[] {
  const { exports } = JSON.parse(readFileSync('package.json', 'utf8')) as {
    readonly exports: Readonly<Record<string, string | { readonly types: string }>>;
  };
  return Object.entries(exports).flatMap(([entry, target]) => {
    if (typeof target === 'string') return [];
    const name = entry.replace(/^\./, 'waywiser');
    const source = target.types.replace('./dist/', '').replace(/\.d\.ts$/, '.ts');
    if (!source.includes('*')) return [[name, source] as const];
    return listFolders().map((folder) => [name.replace('*', folder), source.replace('*', folder)] as const);
  });
}

/** What `*` stands for in `waywiser/plugins/*`. */
function listFolders(): string[] {
  return readdirSync('plugins', { recursive: true, encoding: 'utf8' })
    .filter((path) => /^(outputs\/)?[^/]+\/index\.ts$/.test(path.replaceAll('\\', '/')))
    .map((path) => path.replaceAll('\\', '/').replace('/index.ts', ''))
    .sort();
}

function renderEntries(names: DeclaredNames): string[] {
  const known = new Set<string>();
  const entries = listEntries();
  const exported = entries.map(([entry, source]) => ({
    entry,
    found: names.listExports(source).map((name) => [name, names.findExport(source, name)] as const),
  }));
  for (const { found } of exported)
    for (const [, each] of found) if (each !== undefined) known.add(keyOf(each));
  return exported.map(({ entry, found }) => {
    const texts = found.map(([name, each]) => render(name, each));
    const behind = findBehind(
      found.flatMap(([, each]) => each ?? []),
      names,
      known,
    );
    const mentioned = behind.length === 0 ? '' : `\n\nTypes that these use:\n\n${fence(behind)}`;
    return `## ${entry}\n\n${fence(texts)}${mentioned}`;
  });
}

/** The types that declarations use, and those that these use in turn; each is listed once in the whole page. */
function findBehind(declarations: readonly Declared[], names: DeclaredNames, known: Set<string>): string[] {
  const found: Declared[] = [];
  const waiting = [...declarations];
  for (let each = waiting.pop(); each !== undefined; each = waiting.pop()) {
    for (const word of new Set(each.texts.join('\n').match(/\b[A-Z]\w*/g))) {
      const used = names.findName(each.file, word);
      if (used === undefined || known.has(keyOf(used))) continue;
      known.add(keyOf(used));
      found.push(used);
      waiting.push(used);
    }
  }
  return found.map((each) => render(each.name, each)).sort();
}

function keyOf({ file, name }: Declared): string {
  return `${file} ${name}`;
}

function render(name: string, declared: Declared | undefined): string {
  if (declared === undefined) return `${name}: from another package`;
  const texts = declared.texts.join('\n').replace(/\bimport\("[^"]*"\)\./g, '');
  return declared.name === name ? texts : `${texts.replace(`const ${declared.name}:`, `${name}:`)}`;
}

function fence(texts: readonly string[]): string {
  return `\`\`\`ts\n${texts.join('\n').replaceAll('    ', '  ')}\n\`\`\``;
}

function renderOperations({ paths }: ApiDocument): string {
  const lines = Object.entries(paths).flatMap(([path, methods]) =>
    Object.entries(methods).map(([method, { operationId, security = [] }]) => {
      const [role] = Object.values(security[0] ?? { role: ['public'] })[0] ?? [];
      return `${method.toUpperCase()} ${path} ${role} ${operationId ?? ''}`.trim();
    }),
  );
  return `Method, path, least role and operation id.\n\n\`\`\`\n${lines.sort().join('\n')}\n\`\`\``;
}

async function renderOptions(): Promise<string> {
  const finder = createPluginFinder(cwd());
  const plugins = await Promise.all(finder.builtInNames.map((name) => finder.find(name)));
  const schemas = [
    ['collector', collectorSchema] as const,
    ...plugins.map(({ plugin }) => [plugin.name, plugin.options] as const),
  ];
  return schemas
    .map(([name, schema]) => renderSchema(name, schema))
    .filter((text) => text !== '')
    .join('\n\n');
}

function renderSchema(name: string, schema: TSchema): string {
  const lines = listOptions(schema).map((option) => {
    const value = option.default === undefined ? '' : ` = ${JSON.stringify(option.default)}`;
    return `${option.name}: ${option.type}${option.isRequired ? ' (required)' : value}`;
  });
  return lines.length === 0 ? '' : `\`${name}\`\n\n\`\`\`\n${lines.join('\n')}\n\`\`\``;
}

async function renderErrorCodes(): Promise<string> {
  const tables = await findErrorTables();
  const codes = [...tables].flatMap(([table, entries]) =>
    Object.keys(entries).map((code) => `${code} (${table.replace(/(Errors|Rules)$/, '')})`),
  );
  return `\`\`\`\n${codes.sort().join('\n')}\n\`\`\``;
}
