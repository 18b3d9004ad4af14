import { readdirSync, readFileSync } from 'node:fs';
import { dirname, join, posix, relative } from 'node:path';
import { cwd } from 'node:process';

export const repositoryRoot = cwd();

/** A source file, by its path from the root of the repository. */
export interface SourceFile {
  readonly path: string;
  readonly text: string;
  /** The text without the lines that are only comment. */
  readonly code: string;
}

/** Every TypeScript file below the named folders, sorted. A folder that does not exist has none. */
/** Where the code of the product is. Arrows between them go down only: cli, then authoring and plugins, then src. */
export const floors = ['src', 'plugins', 'authoring', 'cli'] as const;

export function readSources(...folders: readonly string[]): SourceFile[] {
  return folders
    .flatMap((folder) => listFiles(folder).filter((path) => /\.([jt]s|tsx)$/.test(path)))
    .map(readSource);
}

/** Paths of all files below a folder, without installed packages and build results. */
export function listFiles(folder: string): string[] {
  const absolute = join(repositoryRoot, folder);
  let entries: string[];
  try {
    entries = readdirSync(absolute, { withFileTypes: true, recursive: true })
      .filter((entry) => entry.isFile())
      .map((entry) => relative(repositoryRoot, join(entry.parentPath, entry.name)));
  } catch {
    return [];
  }
  return entries
    .filter((path) => !/(^|\/)(node_modules|dist|coverage|(?<!browser\/)state)\//.test(path))
    .sort();
}

/** The specifiers that a file imports: static, re-exported and dynamic. */
export function listImports({ code }: SourceFile): string[] {
  const patterns = [
    /^\s*(?:import|export)\b[^'"`;]*?\bfrom\s*['"]([^'"]+)['"]/gm,
    /^\s*import\s*['"]([^'"]+)['"]/gm,
    /\bimport\(\s*['"]([^'"]+)['"]/g,
  ];
  return patterns.flatMap((pattern) => [...code.matchAll(pattern)].map(([, specifier]) => specifier!));
}

/** The path, from the root, of a relative import; undefined for packages. */
export function resolveImport(from: SourceFile, specifier: string): string | undefined {
  return specifier.startsWith('.') ? posix.join(dirname(from.path), specifier) : undefined;
}

function readSource(path: string): SourceFile {
  const text = readFileSync(join(repositoryRoot, path), 'utf8');
  const code = text.replace(/^\s*(\/\*\*?|\*|\/\/).*$/gm, '');
  return { path, text, code: path.includes('/templates/') ? blankTemplates(code) : code };
}

/** Blanks out template texts: they are code of generated files. */
function blankTemplates(code: string): string {
  return code.replace(/`(?:[^`\\]|\\.)*`/gs, (template) => template.replace(/[^\n]/g, ''));
}
