import { lineOf, listFunctions, parseFiles } from './parsed-files.ts';

/** Functions with more lines than `most`, as `path:line lines`. */
export function findLongFunctions(files: Readonly<Record<string, string>>, most: number): string[] {
  return parseFiles(files, (path, source) =>
    listFunctions(source)
      .filter((node) => node !== source)
      .flatMap((node) => {
        const first = lineOf(source, node);
        const lines = source.text.slice(0, node.end).split('\n').length - first + 1;
        return lines > most ? [`${path}:${first} ${lines} lines`] : [];
      }),
  );
}
