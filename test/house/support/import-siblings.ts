import { listImports, resolveImport, type SourceFile } from './source-file.ts';

/** The folders beside each other whose files import each other, types included, at every level. Sorted, with one import each way. */
export function findMutualFolders(files: readonly SourceFile[]): string[] {
  const paths = new Set(files.map(({ path }) => path));
  const imports = new Map<string, string>();
  for (const file of files)
    for (const specifier of listImports(file)) {
      const target = resolveImport(file, specifier);
      const folders = target !== undefined && paths.has(target) && whereTheyPart(file.path, target);
      if (folders) imports.set(folders.join(' '), `${file.path} imports ${target}`);
    }
  return [...imports.keys()]
    .map((arrow) => arrow.split(' '))
    .filter(([from, to]) => from! < to! && imports.has(`${to} ${from}`))
    .map(([from, to]) => `${imports.get(`${from} ${to}`)}; ${imports.get(`${to} ${from}`)}`)
    .sort();
}

/** The two folders beside each other that hold the files; undefined when a file stands beside the other one or above it. */
function whereTheyPart(one: string, other: string): [string, string] | undefined {
  const first = one.split('/');
  const second = other.split('/');
  const depth = first.findIndex((name, index) => name !== second[index]);
  if (depth < 1 || depth >= first.length - 1 || depth >= second.length - 1) return undefined;
  return [first.slice(0, depth + 1).join('/'), second.slice(0, depth + 1).join('/')];
}
