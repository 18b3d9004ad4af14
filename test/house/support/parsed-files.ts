import type { Node, SourceFile } from 'typescript/unstable/ast';
import { isFunctionLikeDeclaration } from 'typescript/unstable/ast/is';
import { createVirtualFileSystem } from 'typescript/unstable/fs';
import { API } from 'typescript/unstable/sync';

/** Collects what `find` finds in each file. `files`: texts by path. */
export function parseFiles(
  files: Readonly<Record<string, string>>,
  find: (path: string, source: SourceFile) => string[],
): string[] {
  const root = '/sources';
  const paths = Object.keys(files);
  const compilerOptions = { noLib: true, noResolve: true, types: [], jsx: 'preserve', allowJs: true };
  const fs = createVirtualFileSystem({
    [`${root}/tsconfig.json`]: JSON.stringify({ compilerOptions, files: paths }),
    ...Object.fromEntries(paths.map((path) => [`${root}/${path}`, files[path]!])),
  });
  const api = new API({ cwd: root, fs });
  try {
    const [project] = api.updateSnapshot({ openProject: `${root}/tsconfig.json` }).getProjects();
    return paths.flatMap((path) => {
      const source = project?.program.getSourceFile(`${root}/${path}`);
      if (source === undefined) throw new Error(`TypeScript has not read ${path}.`);
      return find(path, source);
    });
  } finally {
    api.close();
  }
}

/** The file, and each function in it: each may wait on its own. */
export function listFunctions(source: SourceFile): Node[] {
  const found: Node[] = [source];
  for (const node of found)
    walk(node, (child) => void (isFunctionLikeDeclaration(child) && found.push(child)));
  return found;
}

/** Calls `visit` for the parts of a function without those of the functions in it; those are visited, and not entered. */
export function walk(scope: Node, visit: (node: Node) => void): void {
  scope.forEachChild((node) => {
    visit(node);
    if (!isFunctionLikeDeclaration(node)) walk(node, visit);
  });
}

export function lineOf(source: SourceFile, node: Node): number {
  const before = source.text.slice(0, node.pos);
  const blank = /^\s*/.exec(source.text.slice(node.pos))?.[0] ?? '';
  return `${before}${blank}`.split('\n').length;
}
