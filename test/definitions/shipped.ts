import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import type { CheckedFile } from '../../plugins/definitions-loader/checking/checked-file.ts';
import { ContentChecker } from '../../plugins/definitions-loader/checking/content-checker.ts';
import { mergeFiles } from '../../plugins/definitions-loader/checking/merge-files.ts';
import { compileDefinitions } from '../../src/model/definitions/compiled/compile-definitions.ts';
import { definitionFolders, findKindOf } from '../../src/model/definitions/schema/definition-folders.ts';

const root = fileURLToPath(new URL('../../definitions/', import.meta.url));
const paths = definitionFolders.flatMap((folder) => pathsBelow(folder).map((path) => ({ folder, path })));

/** What the loader makes of the files below definitions/, and all that it would complain about. */
export function loadShippedDefinitions() {
  const checker = new ContentChecker();
  const files = paths.flatMap(({ folder, path }): CheckedFile[] => {
    const kind = findKindOf(folder, path);
    const text = readFileSync(`${root}${folder}/${path}`, 'utf8');
    return kind === undefined
      ? []
      : [{ name: `${folder}/${path}`, rootIndex: 0, content: checker.check(kind, text) }];
  });
  const { raw, problems } = mergeFiles(files);
  const compilation = compileDefinitions(raw);
  return {
    raw,
    objects: compilation.definitions.objects,
    problems: [
      ...files.flatMap(({ name, content }) =>
        content.problems.map((problem) => ({ file: name, ...problem })),
      ),
      ...problems,
      ...compilation.problems,
    ],
  };
}

/** YAML files that are of no kind the loader knows. */
export function findUnreadPaths(): string[] {
  return paths
    .filter(({ folder, path }) => findKindOf(folder, path) === undefined)
    .map(({ folder, path }) => `${folder}/${path}`);
}

function pathsBelow(folder: string): string[] {
  if (!existsSync(root + folder)) return [];
  return readdirSync(root + folder, { recursive: true, encoding: 'utf8' })
    .filter((path) => /\.ya?ml$/.test(path))
    .sort();
}
