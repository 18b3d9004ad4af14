import { readFileSync } from 'node:fs';
import { type ImportRule, importRules, leaves } from '../house/import-rules.ts';
import { renderTable } from './markdown-table.ts';

const begin = '<!-- `npm run docs` makes this from tools/house/import-rules.ts -->\n';
const end = '<!-- end -->\n';

/** ARCHITECTURE.md with who may import whom, as `test/house` enforces it. */
export function renderArchitecture(): string {
  const width = Math.max(...importRules.map(({ path }) => nameOf(path).length)) + 2;
  const small = [...leaves.keys()].map(nameOf).join(', ');
  const lines = importRules.map((rule) => `${nameOf(rule.path).padEnd(width)}${importsOf(rule)}`);
  return replacePart(
    'ARCHITECTURE.md',
    ['```', `${small}: nothing; for everyone`, ...lines, '```', ''].join('\n'),
  );
}

/** CONTRIBUTING.md with what is where. */
export function renderContributing(): string {
  const rows = [
    ...Array.from(leaves, ([path, what]) => [`\`${path}\``, what]),
    ...importRules.map(({ path, what }) => [`\`${path.replace(/\/$/, '')}\``, what]),
    ['`definitions`', 'the definition files that ship'],
    ['`examples`', 'configurations that start, and packages of their own'],
    [
      '`test`, `bench`, `tools`',
      'tests in the folders of what they test; measurements; generators of docs and client',
    ],
  ];
  return replacePart('CONTRIBUTING.md', `${renderTable(['folder', 'what is in it'], rows)}\n`);
}

function replacePart(name: string, part: string): string {
  const page = readFileSync(new URL(`../../${name}`, import.meta.url), 'utf8');
  const from = page.indexOf(begin) + begin.length;
  return `${page.slice(0, from)}\n${part}\n${page.slice(page.indexOf(end, from))}`;
}

function importsOf({ as, mayImport, mayImportLeaves }: ImportRule): string {
  const names = mayImport.map(nameOf);
  if (as !== undefined) names.unshift(`as ${nameOf(as)}`);
  if (mayImportLeaves === true) names.push('files that import nothing');
  return names.join(', ') || 'nothing';
}

/** `src/model/` is `model`, and so is its door. What stands in no room keeps its path. */
function nameOf(path: string): string {
  if (path === 'src/') return 'all of src';
  if (path === 'src/*/index.ts') return 'each door of src';
  if (path === 'src/*/internal.ts') return 'each internal.ts of src';
  return path
    .replace(/(?<=.\/.+)\/index\.ts$/, '')
    .replace(/\/$/, '')
    .replace(/^src\/(?!index)/, '')
    .replace(/(?<=^[\w-]+)\.ts$/, '');
}
