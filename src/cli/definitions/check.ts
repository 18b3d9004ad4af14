import type { DefinitionCounts, OfflineSet } from '../../../plugins/definitions-loader/offline.ts';
import type { Problem } from '../../model/definition-changes.ts';
import { exitCodes } from '../terminal/exit-codes.ts';
import { counted } from '../terminal/plain-text.ts';
import { formatProblems } from './definition-text.ts';
import { loadOffline } from './load-offline.ts';

/** `waywiser check [DIR]`: lists all problems of a definition directory, on request also those of style. Exit code 1 on errors. */
export async function check(
  directory: string,
  {
    strict = false,
    style = false,
    json,
    secrets,
  }: {
    readonly strict?: boolean;
    readonly style?: boolean;
    readonly json?: boolean;
    readonly secrets?: string;
  },
): Promise<number> {
  const set = await loadOffline(directory, secrets);
  const found = style ? [...set.problems, ...(await listStyleProblems(set))] : set.problems;
  const problems = found.map((problem) => (strict ? { ...problem, level: 'error' as const } : problem));
  const errors = problems.filter(({ level }) => level === 'error').length;
  console.log(
    json
      ? JSON.stringify({ counts: set.counts, problems }, undefined, 2)
      : formatReport(set.counts, problems),
  );
  return errors === 0 ? exitCodes.done : exitCodes.failed;
}

async function listStyleProblems({ raw, compiled, places }: OfflineSet): Promise<Problem[]> {
  const { checkStyle } = await import('../../definitions/style/check-style.ts');
  return checkStyle(raw, compiled).map((problem) => places.locate(problem));
}

function formatReport(counts: DefinitionCounts, problems: readonly Problem[]): string {
  const { objects, attributes, objectGroups, deviceGroups, devices, enums } = counts;
  const errors = problems.filter(({ level }) => level === 'error').length;
  return [
    ...formatProblems(problems),
    [
      counted(objects, 'object'),
      counted(attributes, 'attribute'),
      counted(objectGroups, 'object group'),
      counted(deviceGroups, 'device group'),
      counted(devices, 'device'),
      counted(enums, 'enum'),
    ].join(', '),
    `${counted(errors, 'error')}, ${counted(problems.length - errors, 'warning')}`,
  ].join('\n');
}
