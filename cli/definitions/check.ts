import type { DefinitionCounts, OfflineSet } from '../../plugins/definitions-loader/commands.ts';
import type { Problem } from '../../src/model/index.ts';
import { findConfig, readChosen, requireOwnSet, type SetOptions } from '../choose-set.ts';
import { formatProblems, kindNames } from '../definition-text.ts';
import { colours } from '../terminal/colours.ts';
import { exitCodes } from '../terminal/exit-codes.ts';
import { counted } from '../terminal/plain-text.ts';
import type { StartProblem } from './dry-start.ts';

export interface CheckOptions extends SetOptions {
  readonly strict?: boolean;
  readonly style?: boolean;
  readonly json?: boolean;
}

/**
 * `waywiser check [DIR]`: lists all problems of definitions, on request also those of style. Of a configuration it lists everything
 * that a start would refuse, without starting anything. Exit code 1 on errors.
 */
export async function check(
  directory: string | undefined,
  { strict = false, style = false, json, ...options }: CheckOptions,
): Promise<number> {
  const chosen = { ...options, directory };
  requireOwnSet(chosen);
  const config = findConfig(chosen);
  const applyStrict = <Found extends { readonly level: Problem['level'] }>(problem: Found): Found =>
    strict ? { ...problem, level: 'error' } : problem;
  const start = config === undefined ? [] : (await listStartProblems(config)).map(applyStrict);
  const set = await readChosen(chosen).catch((error: unknown) => {
    if (start.length === 0) throw error;
  });
  if (set === undefined) return report({ start, problems: [] }, json);
  const { findOwn } = await import('../../plugins/definitions-loader/commands.ts');
  const { counts, problems: own } = findOwn(set);
  const found = style ? [...own, ...(await listStyleProblems(set))] : own;
  const problems = found.map(applyStrict);
  const replaced = listReplaced(set);
  const isAlone = directory !== undefined && options.shipped !== true;
  return report(
    { counts, problems, replaced, start, isAlone, shipped: set.counts.objects - counts.objects },
    json,
  );
}

async function listStartProblems(config: string): Promise<StartProblem[]> {
  const { findStartProblems } = await import('./dry-start.ts');
  return findStartProblems(config);
}

function report(found: Report, json: boolean | undefined): number {
  const { counts, problems, replaced, start } = found;
  console.log(
    json ? JSON.stringify({ counts, problems, replaced, start }, undefined, 2) : formatReport(found),
  );
  return countErrors(found) === 0 ? exitCodes.done : exitCodes.failed;
}

async function listStyleProblems({ raw, compiled, places }: OfflineSet): Promise<Problem[]> {
  const { checkStyle } = await import('../../src/definitions/index.ts');
  return checkStyle(raw, compiled).map((problem) => places.locate(problem));
}

/** A definition that takes the place of one with the same id in an earlier directory. */
interface Replaced {
  readonly kind: string;
  readonly id: string;
  readonly file: string;
  readonly line: number;
  readonly replacedFile: string;
}

function listReplaced({ replaced, places }: OfflineSet): Replaced[] {
  return replaced.map(({ path, file, replacedFile }) => {
    const { line } = places.locate({ level: 'warning', path, rule: '', message: '' });
    return { kind: path[0], id: path[1], file, line, replacedFile };
  });
}

/** Without counts when the configuration is too wrong to say where the definitions are. */
interface Report {
  readonly counts?: DefinitionCounts;
  readonly problems: readonly Problem[];
  readonly replaced?: readonly Replaced[];
  /** How many shipped objects are used. */
  readonly shipped?: number;
  /** Only a directory was checked, without the definitions that ship. */
  readonly isAlone?: boolean;
  readonly start: readonly StartProblem[];
}

function countErrors({ problems, start }: Report): number {
  return [...start, ...problems].filter(({ level }) => level === 'error').length;
}

function formatReport(found: Report): string {
  const { counts, problems, replaced = [], shipped = 0, isAlone = false, start } = found;
  const warnings = start.length + problems.length - countErrors(found);
  return [
    ...start.map(formatStartProblem),
    ...formatProblems(problems),
    ...formatReplaced(replaced),
    ...(counts === undefined ? [] : [formatCounts(counts, shipped)]),
    ...(isAlone && problems.some(({ rule }) => rule === 'unknown-reference') ? [shippedLeftOut] : []),
    `${counted(countErrors(found), 'error')}, ${counted(warnings, 'warning')}`,
  ].join('\n');
}

const shippedLeftOut =
  'The definitions that ship were left out: --shipped adds them. `waywiser check` alone checks a whole configuration.';

/** One by one, but a kind with many of them as their number: an import replaces hundreds of enums. */
function formatReplaced(replaced: readonly Replaced[]): string[] {
  const byKind = new Map<string, Replaced[]>();
  for (const each of replaced) {
    const kind = /Enums$/.test(each.kind) ? 'enums' : each.kind;
    byKind.set(kind, [...(byKind.get(kind) ?? []), each]);
  }
  return [...byKind].flatMap(([kind, list]) => {
    const [one, many] = (kindNames as Readonly<Record<string, readonly [string, string]>>)[kind] ?? [
      kind,
      kind,
    ];
    if (list.length > maxListed)
      return [`${list.length} ${many} replace others of the same id (--json lists each)`];
    return list.map(
      ({ id, file, line, replacedFile }) => `${file}:${line}  replaces the ${one} ${id} of ${replacedFile}`,
    );
  });
}

const maxListed = 10;

function formatStartProblem({ level, rule, plugin, message }: StartProblem): string {
  const paint = level === 'error' ? colours.red : colours.yellow;
  const place = plugin === undefined ? 'configuration' : `plugin ${plugin}`;
  return `${colours.bold(place)}  ${paint(level)}  ${colours.dim(rule)}\n  ${message}`;
}

function formatCounts(counts: DefinitionCounts, shipped: number): string {
  const { objects, attributes, objectGroups, deviceGroups, devices, enums, notifications } = counts;
  const own = [
    counted(objects, 'object'),
    counted(attributes, 'attribute'),
    counted(objectGroups, 'object group'),
    counted(deviceGroups, 'device group'),
    counted(devices, 'device'),
    counted(enums, 'enum'),
    ...(notifications === 0 ? [] : [counted(notifications, 'notification')]),
  ].join(', ');
  return shipped === 0 ? own : `${own}; beside them ${counted(shipped, 'shipped object')}`;
}
