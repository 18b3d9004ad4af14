import { type MibCounts, type MibProblem, MibSet } from '../../authoring/mib/index.ts';
import { formatProblems } from '../definition-text.ts';
import { exitCodes } from '../terminal/exit-codes.ts';
import { counted, plainText } from '../terminal/plain-text.ts';
import { formatJson } from './mib-text.ts';

/** `waywiser mib check PATH…`: lists all problems of MIB files. Exit code 1 on errors. */
export async function checkMibs(
  paths: readonly string[],
  { json = false }: { readonly json?: boolean },
): Promise<number> {
  const set = new MibSet(paths);
  const counts = set.counts();
  const problems = set.problems();
  console.log(json ? formatJson({ counts, problems }) : formatReport(counts, problems));
  return problems.some(isError) ? exitCodes.failed : exitCodes.done;
}

function formatReport({ modules, nodes, files }: MibCounts, problems: readonly MibProblem[]): string {
  const errors = problems.filter(isError).length;
  return [
    ...formatProblems(
      problems.map((problem) => ({
        ...problem,
        file: plainText(problem.file),
        message: plainText(problem.message),
      })),
    ),
    `${counted(modules, 'module')}, ${counted(nodes, 'node')}, ${counted(files, 'file')}`,
    `${counted(errors, 'error')}, ${counted(problems.length - errors, 'warning')}`,
  ].join('\n');
}

function isError({ level }: MibProblem): boolean {
  return level === 'error';
}
